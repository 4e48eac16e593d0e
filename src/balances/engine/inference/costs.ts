/**
 * What it costs to believe something, in bits: an event of cost n is taken to happen once in 2^n chances. The explanation
 * with the smallest sum wins. Each line says what the model cannot do without it.
 */
export const BITS = {
  /** The offset changes for good, on any one day. Without it no unlisted fee or interest is ever found. */
  change: 20,
  /** The balance leaves the offset for a while: an unlisted pending transaction, an outlier. Without it each leaves two changes. */
  excursion: 20,
  /** Each day of an excursion. Without it a difference of a year that is made good counts as temporary. */
  excursionDay: 2,
  /**
   * What was away persists: it moves by as much a day, or repeats its figure. Without it interest that accrues in the
   * balance is a change per day, and a balance frozen for weeks is worth one.
   */
  persistence: 1,
  /** A transaction near the cut is in the balance although the rule says no, or the other way round. */
  exception: 3,
  /** The balance repeats the figure before while the list moves on. Without it a frozen balance is a change per day. */
  frozen: 4,
  /** The first balance is not as its own list explains it. Without it the past moves with every coincidence. */
  notAsListed: 3,
  /** An excursion becomes another one. Without it a second unlisted pending transaction ends the first. */
  amount: 13,
  /** Balances include pending transactions. Without it a coincidence in the first days decides. */
  pendingIncluded: 3,
  /** Of two equal transactions that are listed, the balance has one. Without it, each is a loss on the day of the report. */
  duplicate: 6,
  /** The balance does not follow a correction of the list. Without it, the money moves on the day of the correction. */
  unfollowed: 6,
  /** What is dated long before it is listed moves the balance then, and not on its day. Without it, it moves the past. */
  late: 3,
  /**
   * Balances or transactions are reported in the other sign, or a balance turns into its own opposite. Without it every movement
   * is a change of twice its amount, and a figure in the other sign an odd one or, if it lasts, a loss.
   */
  reversed: 12,
  /** All balances are on the unusual side of zero; less if most are. Without it reversed balances are as likely as reversed transactions. */
  inCredit: 20,
  /** All transactions are income; less if most are. Without it nothing tells those two apart where balances have both signs. */
  income: 12,
  /** A balance of 0 is none. Without it a bank that fails at the first sync costs as much as lost transactions. */
  zero: 8,
  /** Balances are those of statements, though no date says so. Without it each of them is a change. */
  statement: 8,
} as const;

/** A day is known if every rival costs this much more: of known days at most one in ten thousand should be wrong. */
export const KNOWN_BITS = 12;
