import './transactions/holds.e2e.js';
import './transactions/transaction-versions.e2e.js';
import './transactions/transactions-paging.e2e.js';
import './transactions/write-transactions.e2e.js';
