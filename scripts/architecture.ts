import { writeFileSync } from 'node:fs';
import { roomOf, ROOMS, type SourceFile, sourceFiles } from '../test/support/module-graph.js';

// Draws the rooms of src and which of them import which: npm run architecture

export const PICTURE = 'docs/inside/architecture.svg';

type Room = (typeof ROOMS)[number];

const ABOUT: Record<Exclude<Room, 'modules'>, string> = {
  kit: 'the one file that modules import',
  operate: 'commands, doctor, health, metrics, demo',
  web: 'the pages, and /docs',
  sync: 'how bank data comes in: connections, ingest, jobs',
  balances: 'what an account holds on every day, and why',
  providers: 'the port to banks, and two vendors',
  auth: 'who may do what: people, keys, scopes',
  http: 'what every route shares: input, errors, paging',
  database: 'schema, embedded server, sessions, change log',
  platform: 'what knows no bank: config, time, money, logs',
};

const BOX = { width: 446, height: 36, step: 44 };
const COLUMN = { first: 472, step: 26 };
const EDGE = 8;

const STYLE = `
    text { font: 13px system-ui, sans-serif; fill: #2d3a37; }
    .name { font: 600 13px ui-monospace, monospace; fill: #0f5f57; }
    rect { fill: #eef4f2; stroke: #b9cdc8; }
    path { fill: none; stroke: #c9d6d3; }
    circle { fill: #0f766e; }
    @media (prefers-color-scheme: dark) {
      text { fill: #c5d0cd; }
      .name { fill: #6fd0c2; }
      rect { fill: #17211f; stroke: #3a4a46; }
      path { stroke: #3a4a46; }
      circle { fill: #4fb8a8; }
    }`;

/** Highest room first. A dot says that the room on its left imports the room below it. */
export function drawArchitecture(files: readonly SourceFile[]): string {
  const rooms = [...ROOMS].reverse();
  const rows = rooms.map((room, row) => {
    const imported = new Set(importsOf(room, files));
    return { room, row, columns: rooms.flatMap((other, column) => (imported.has(other) ? [column] : [])) };
  });
  const height = rooms.length * BOX.step + 2 * EDGE;
  const width = COLUMN.first + rooms.length * COLUMN.step;
  const names = modulesOf(files).join(', ');
  const texts = rows.map(({ room, columns }) => `${room}: ${columns.map((column) => rooms[column]).join(', ')}`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
  <title>The rooms of src, each importing only rooms below it</title>
  <desc>${texts.join('; ')}</desc>
  <style>${STYLE}
  </style>
${rows.map(({ row, columns }) => wiresOf(row, columns, rows)).join('')}${rows
    .map(({ room, row }) => boxOf(room, row, room === 'modules' ? names : ABOUT[room]))
    .join(
      '',
    )}${rows.flatMap(({ row, columns }) => columns.map((column) => dotOf(row, column))).join('')}  <text x="${across(2)}" y="${middle(0) + 4}">imports the room below the dot</text>
</svg>
`;
}

function importsOf(room: Room, files: readonly SourceFile[]): string[] {
  const own = files.filter(({ path }) => roomWithKit(path) === room && !path.includes('.spec.'));
  return own.flatMap(({ imports }) => imports.map(roomWithKit)).filter((other) => other !== room);
}

function roomWithKit(path: string): string {
  return path === 'src/kit.ts' ? 'kit' : roomOf(path);
}

function modulesOf(files: readonly SourceFile[]): string[] {
  const names = files.flatMap(({ path }) => /^src\/modules\/([^/]+)\//.exec(path)?.[1] ?? []);
  return [...new Set(names)].sort();
}

const middle = (row: number) => EDGE + row * BOX.step + BOX.height / 2;
const across = (column: number) => COLUMN.first + column * COLUMN.step;

/** From the box to its last dot, and from its own place up to the first dot of those that import it. */
function wiresOf(row: number, columns: readonly number[], rows: readonly { row: number; columns: number[] }[]): string {
  const last = Math.max(row, ...columns);
  const first = Math.min(row, ...rows.flatMap((other) => (other.columns.includes(row) ? [other.row] : [])));
  return `  <path d="M${BOX.width} ${middle(row)}H${across(last)}M${across(row)} ${middle(row)}V${middle(first)}"/>\n`;
}

function boxOf(room: Room, row: number, about: string): string {
  const y = middle(row) + 4;
  return `  <rect x="1" y="${middle(row) - BOX.height / 2}" width="${BOX.width - 1}" height="${BOX.height}" rx="6"/>
  <text class="name" x="14" y="${y}">${room}</text><text x="100" y="${y}">${about}</text>\n`;
}

function dotOf(row: number, column: number): string {
  return `  <circle cx="${across(column)}" cy="${middle(row)}" r="4"/>\n`;
}

if (process.argv[1]?.endsWith('architecture.ts')) writeFileSync(PICTURE, drawArchitecture(sourceFiles()));
