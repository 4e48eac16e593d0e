// Apart from the others, because it counts the statements of every session.
import './without-changes.e2e.js';
