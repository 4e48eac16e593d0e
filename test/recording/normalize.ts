/** The moments at which the still clock stands. */
export const FIRST_DAY = '2026-03-06T09:00:00Z';
export const SECOND_DAY = '2026-03-11T09:00:00Z';
export const LAST_DAY = '2026-03-15T12:00:00Z';
const STILL_DAYS = [FIRST_DAY, SECOND_DAY, LAST_DAY].map((moment) => moment.slice(0, 10));

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** What differs from one run to the next although the service does the same, and what stands for it. */
const VARIES: [RegExp, string][] = [
  [/aHR0c[A-Za-z0-9+/=_-]{20,}/g, '<setup-token>'],
  [/(127\.0\.0\.1|localhost):\d+/g, '$1:<port>'],
  [/\btma?_[0-9A-Za-z]{46}\b/g, '<api-key>'],
  [/\btm(a?)_[0-9A-Za-z]{3}…[0-9A-Za-z]{4}/g, 'tm$1_<hint>'],
  [/\b(healthy|[a-z-]+[a-z])-[0-9a-f]{16}\b/g, '$1-<code>'],
  [/(cursor(?:\\?":\s*\\?"|=))[A-Za-z0-9_.%-]{8,}/g, '$1<cursor>'],
  [/\bmsg_[0-9a-f]{32}\b/g, '<message-id>'],
  [/(form_token" value=")[^"]+/g, '$1<form-token>'],
  // The database says when a day was restated.
  [/(Restated on )<time datetime="[^"]+">[^<]+<\/time>/g, '$1<time><now></time>'],
  [/"duration_ms":\s*\d+/g, '"duration_ms": "<duration>"'],
  [/ after \d+ ms\b/g, ' after <duration>'],
  [/^id: [\w-]{8,}$/gm, 'id: <cursor>'],
  [/(\/assets\/[\w-]+?)[.-][0-9A-Za-z_-]{8,}(\.\w+)/g, '$1.<hash>$2'],
];

/** As far from the clock of this machine is still now. */
const NOW_MS = 3_600_000;
const MOMENT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** Texts of one file, in which equal ids have equal names. */
export class Normalizer {
  readonly #found = new Map<string, string>();

  constructor(private readonly names: ReadonlyMap<string, string>) {}

  text(text: string): string {
    let normal = text.replaceAll(UUID, (id) => this.#nameOf(id));
    for (const [pattern, name] of VARIES) normal = normal.replaceAll(pattern, name);
    return normal.replaceAll(MOMENT, (moment) => (isNow(moment) ? '<now>' : moment));
  }

  #nameOf(id: string): string {
    const known = this.names.get(id) ?? this.#found.get(id);
    if (known) return known;
    const name = `<id-${this.#found.size + 1}>`;
    this.#found.set(id, name);
    return name;
  }
}

function isNow(moment: string): boolean {
  return !STILL_DAYS.includes(moment.slice(0, 10)) && Math.abs(Date.parse(moment) - Date.now()) < NOW_MS;
}

const LINE_CHARS = 110;

/** JSON with small objects and lists on one line. */
export function prettyJson(value: unknown, indent = ''): string {
  const line = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || line.length + indent.length < LINE_CHARS) return line;
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const members = Object.entries(value).map(([name, member]) => {
    const text = prettyJson(member, inner);
    return inner + (isList ? text : `${JSON.stringify(name)}: ${text}`);
  });
  const [open, close] = isList ? '[]' : '{}';
  return `${open}\n${members.join(',\n')}\n${indent}${close}`;
}

/** HTML with a line for each tag that follows another. */
export function prettyHtml(html: string): string {
  return html.replaceAll('><', '>\n<');
}
