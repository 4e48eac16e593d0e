import './auth/access.e2e.js';
import './auth/audit-events.e2e.js';
import './auth/api-keys.e2e.js';
import './auth/key-accounts.e2e.js';
import './auth/password-attempts.e2e.js';
import './auth/second-factor.e2e.js';
import './auth/sessions.e2e.js';
import './auth/sign-up.e2e.js';
