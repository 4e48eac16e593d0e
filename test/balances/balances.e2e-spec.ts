import './balances.e2e.js';
import './balance-revisions.e2e.js';
import './net-worth.e2e.js';
import './net-worth-changes.e2e.js';
import './reconciliation.e2e.js';
import './holdings.e2e.js';
import './history-life.e2e.js';
import './whole-history.e2e.js';
