/** The columns of a balance record that a version stores as arrays of daily values, and the names of these arrays. */
export const VERSION_ARRAYS = [
  { column: 'date', array: 'dates' },
  { column: 'id', array: 'ids' },
  ...[
    ...['start_cash', 'start_non_cash', 'cash_inflows', 'cash_outflows', 'non_cash_inflows', 'non_cash_outflows'],
    ...['net_market_flows', 'cash_adjustments', 'non_cash_adjustments', 'end_cash', 'end_non_cash'],
    ...['created_at', 'updated_at'],
  ].map((column) => ({ column, array: column })),
];
