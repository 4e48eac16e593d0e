import { writeFileSync } from 'node:fs';
import { environmentExample } from '../test/support/environment-example.js';

// Writes .env.example.

writeFileSync('.env.example', environmentExample());
