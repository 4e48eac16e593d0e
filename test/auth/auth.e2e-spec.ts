import './access.e2e.js';
import './audit-events.e2e.js';
import './api-keys.e2e.js';
import './key-accounts.e2e.js';
import './password-attempts.e2e.js';
import './second-factor.e2e.js';
import './sessions.e2e.js';
import './sign-up.e2e.js';
