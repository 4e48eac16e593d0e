import './corrections.e2e.js';
import './holds.e2e.js';
import './transaction-versions.e2e.js';
import './transactions-paging.e2e.js';
import './write-transactions.e2e.js';
