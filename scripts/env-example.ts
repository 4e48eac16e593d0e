import { writeFileSync } from 'node:fs';
import { environmentExample } from '../test/environment-example.js';

// Writes .env.example.

writeFileSync('.env.example', environmentExample());
