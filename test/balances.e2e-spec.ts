import './balances/balances.e2e.js';
import './balances/balance-revisions.e2e.js';
import './balances/net-worth.e2e.js';
import './balances/reconciliation.e2e.js';
import './balances/holdings.e2e.js';
import './balances/history-life.e2e.js';
import './balances/whole-history.e2e.js';
