import { readFileSync } from 'node:fs';
import { AnswerWriter, type Recorded } from './answers.js';
import { Normalizer } from './normalize.js';
import type { Scene } from './scene.js';

/** Where forms and scripts lead. */
const UNLINKED = [
  '/connections/return',
  ...['/transactions?search=rent', '/connections/{connection}/state', '/accounts/{account}/transactions'],
  ...['/days?day=2026-03-12', '/days/largest?currency=USD&from=2026-03-01&to=2026-03-12'],
  ...['/account-types', '/openapi.json', '/openapi.yaml'],
  // Which account leads there first depends on its id.
  '/imports?account_id={account}',
];
const STRANGER = ['/sign-in', '/sign-up', '/keys', '/unknown'];
/** Files and documents: what they are made of is in the repository, and is read as it is. */
const WITHOUT_BODY = /^\/(assets|license|openapi\.yaml|docs\/|settings\/export)/;
const IDS = /[0-9a-f]{8}-[0-9a-f-]{27}/g;

/** Every page that links lead to from the overview, signed in; one file for each. */
export async function recordPages(scene: Scene): Promise<Recorded> {
  const recorder = new PageRecorder(scene);
  await recorder.crawl();
  await recorder.visitAsStranger();
  recorder.checkCompleteness();
  return recorder.files;
}

interface ExpressApp {
  router: { stack: { route?: { path: string; methods: { get?: boolean } } }[] };
}

class PageRecorder {
  readonly files: Recorded = new Map();
  readonly #writer = new AnswerWriter();
  readonly #shapes = new Set(['/?']);
  readonly #queue: string[] = ['/'];
  readonly #visited = new Set<string>();
  #frame = '';

  constructor(private readonly scene: Scene) {}

  async crawl(): Promise<void> {
    this.files.set('pages/usual-headers.txt', this.#writer.usual((await this.scene.visitor.get('/settings')).headers));
    const idOf = (start: string) => [...this.scene.names].find(([, name]) => name.startsWith(start))![0];
    for (const path of UNLINKED) {
      const filled = path.replace('{connection}', idOf('<connection')).replace('{account}', idOf('<account-renamed'));
      this.#queue.push(filled);
      this.#shapes.add(this.#shapeOf(new URL(filled, 'http://page')));
    }
    for (let path = this.#queue.shift(); path !== undefined; path = this.#queue.shift()) {
      const { status, headers, html } = await this.scene.visitor.get(path);
      this.#keep(path, status, headers, html, '');
      if (headers.get('content-type')?.startsWith('text/html')) this.#follow(html, path);
    }
  }

  async visitAsStranger(): Promise<void> {
    for (const path of STRANGER) {
      const answer = await fetch(this.scene.tidemark.url + path, {
        redirect: 'manual',
        headers: { Accept: 'text/html' },
      });
      this.#keep(path, answer.status, answer.headers, await answer.text(), 'signed-out-');
    }
  }

  /** @throws if the service has a page that was not visited */
  checkCompleteness(): void {
    const { router } = this.scene.tidemark.app.getHttpAdapter().getInstance() as ExpressApp;
    const routes = router.stack.flatMap(({ route }) => (route?.methods.get ? [route.path] : []));
    const missing = routes
      .filter((route) => typeof route === 'string' && !/^\/(api|health|metrics|mcp|docs)\b/.test(route))
      .filter((route) => {
        const pattern = new RegExp(`^${route.replaceAll(/:\w+/g, '[^/]+')}$`);
        return ![...this.#visited].some((path) => pattern.test(path));
      });
    if (missing.length > 0) throw new Error(`test/recording/page-requests.ts never gets to ${missing.join(', ')}`);
  }

  #keep(path: string, status: number, headers: Headers, html: string, prefix: string): void {
    this.#visited.add(new URL(path, 'http://page').pathname);
    const normalizer = new Normalizer(this.scene.names);
    const name = normalizer.text(path).replaceAll(/[<>]/g, '').replace(/^\//, '') || 'overview';
    const file = `pages/${prefix}${name.replaceAll('/', '-').replaceAll(/[?&=%]+/g, '_')}.txt`;
    const hasBody = !WITHOUT_BODY.test(path) && html !== '';
    const type = headers.get('content-type') ?? '';
    const body =
      path === '/openapi.json'
        ? ownExamples(html)
        : !hasBody
          ? ''
          : type.startsWith('text/html')
            ? this.#withoutFrame(html)
            : firstLines(html);
    this.files.set(file, this.#writer.write(`GET ${path}`, { status, headers }, body, normalizer));
  }

  /** What surrounds every page is in the file of the overview, and where it is another. */
  #withoutFrame(html: string): string {
    const [, before, main, after] = /^([\s\S]*?)(<main[\s\S]*<\/main>)([\s\S]*)$/.exec(html) ?? [];
    if (main === undefined) return html;
    const own = before!.match(/<title>.*?<\/title>|<script.*?<\/script>/g) ?? [];
    const frame = own
      .reduce((rest, part) => rest.replace(part, ''), `${before}${after}`)
      .replaceAll(/ aria-current="page"|name="form_token" value="[^"]*"/g, '');
    if (frame === this.#frame) return [...own, main].join('');
    this.#frame ||= frame;
    return html;
  }

  #follow(html: string, from: string): void {
    for (const [, link = ''] of html.matchAll(/ (?:href|src|hx-get|data-src)="([^"]+)"/g)) {
      const url = new URL(link.replaceAll('&amp;', '&'), `http://page${from}`);
      const path = url.pathname + url.search;
      if (url.origin !== 'http://page') continue;
      // Filters of what is filtered already would be too many.
      if (from.includes('?') && url.search !== '') continue;
      const shape = this.#shapeOf(url);
      if (this.#shapes.has(shape)) continue;
      this.#shapes.add(shape);
      this.#queue.push(path);
    }
  }

  /** Pages of one shape differ in data only: one of them is enough. Of the page of an account, each is visited. */
  #shapeOf({ pathname, searchParams }: URL): string {
    if (/^\/(accounts|connections)\/[^/]+$/.test(pathname) && searchParams.size === 0) return pathname;
    const values = [...searchParams].map(([name, value]) => {
      return `${name}=${value.replace(IDS, '{id}').replace(/^(\d[\d-]*|[A-Z]{3})$/, '…')}`;
    });
    return `${pathname}?${values.join('&')}`.replaceAll(IDS, '{id}');
  }
}

const LINES = 20;

function firstLines(text: string): string {
  const lines = text.split('\n');
  return lines.length <= LINES ? text : `${lines.slice(0, LINES).join('\n')}\n… ${lines.length} lines`;
}

/** The document as it is served names records and secrets of this person; the rest of it is docs/openapi.json. */
function ownExamples(served: string): string {
  const document: unknown = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));
  return JSON.stringify(Object.fromEntries(differences(document, JSON.parse(served))));
}

function* differences(before: unknown, now: unknown, path = ''): Generator<[string, unknown]> {
  if (before === now) return;
  const isInner = [before, now].every((one) => typeof one === 'object' && one !== null);
  if (!isInner) return yield [path, now ?? null];
  const [a, b] = [before, now] as Record<string, unknown>[];
  for (const name of new Set([...Object.keys(a!), ...Object.keys(b!)])) {
    yield* differences(a![name], b![name], `${path}#${name}`);
  }
}
