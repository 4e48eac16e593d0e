import { environmentVariables } from '../../src/platform/config/config.js';
import { MODULES } from '../../src/modules.js';
import { PROVIDERS } from '../../src/providers/installed.js';

const WIDTH = 120;

/** `.env.example`: every variable with its default, below what its schema says of it. */
export function environmentExample(): string {
  const lines = [
    '# Every variable Tidemark reads, with its default. All are optional unless a line says otherwise.',
    '# compose.yaml reads .env by itself. For npm start, and npm run cli alike: node --env-file=.env "$(command -v npm)" start',
  ];
  for (const { name, default: value, description } of environmentVariables(PROVIDERS, MODULES)) {
    if (description) lines.push('', ...commentOf(description));
    lines.push(`${name}=${value}`);
  }
  return `${lines.join('\n')}\n`;
}

function commentOf(text: string): string[] {
  const lines = ['#'];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`;
    if (longer.length > WIDTH) lines.push(`# ${word}`);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}
