// Apart from the others, because it counts the statements of every session.
import './sync/without-changes.e2e.js';
