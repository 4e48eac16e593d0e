import './change-feed.e2e.js';
import './mirror.e2e.js';
