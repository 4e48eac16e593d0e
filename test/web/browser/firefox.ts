import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const PATHS = ['/usr/bin/firefox-esr', '/usr/bin/firefox', '/Applications/Firefox.app/Contents/MacOS/firefox'];

/** A Firefox of the machine, `null` where there is none. */
export const FIREFOX = PATHS.find((path) => existsSync(path)) ?? null;

const START_MS = 120_000;

/** It looks for no host of its maker, and nothing moves. */
const PREFERENCES = {
  'app.normandy.enabled': false,
  'app.update.auto': false,
  'browser.safebrowsing.downloads.remote.enabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,',
  'ui.prefersReducedMotion': 1,
};

interface Answer {
  id?: number;
  type: 'success' | 'error' | 'event';
  method?: string;
  params?: { level?: string; text?: string };
  result?: unknown;
  message?: string;
}

interface Evaluated {
  type: 'success' | 'exception';
  result?: { value?: string };
  exceptionDetails?: { text: string };
}

/**
 * The one page of a Firefox, driven by WebDriver BiDi: Playwright drives builds of its own, and commands that the Firefox
 * of Debian does not have.
 */
export class FirefoxPage {
  /** What the page complained of. */
  readonly errors: string[] = [];
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #lastId = 0;
  #context = '';

  private constructor(
    private readonly process: ChildProcess,
    private readonly profile: string,
    private readonly socket: WebSocket,
  ) {
    socket.addEventListener('message', ({ data }) => this.#take(JSON.parse(String(data)) as Answer));
  }

  static async launch(): Promise<FirefoxPage> {
    const profile = await mkdtemp(join(tmpdir(), 'tidemark-firefox-'));
    const preferences = Object.entries(PREFERENCES).map(([name, value]) =>
      [name, value].map((it) => JSON.stringify(it)),
    );
    await writeFile(join(profile, 'user.js'), preferences.map((pair) => `user_pref(${pair.join(', ')});\n`).join(''));
    const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0', 'about:blank'];
    const process = spawn(FIREFOX ?? '', args, { stdio: ['ignore', 'ignore', 'pipe'] });
    const socket = new WebSocket(`${await addressOf(process)}/session`);
    await once(socket, 'open');
    const page = new FirefoxPage(process, profile, socket);
    await page.#send('session.new', { capabilities: {} });
    await page.#send('session.subscribe', { events: ['log.entryAdded'] });
    const { contexts } = (await page.#send('browsingContext.getTree', {})) as { contexts: { context: string }[] };
    page.#context = contexts[0]!.context;
    return page;
  }

  async open(url: string): Promise<void> {
    await this.#send('browsingContext.navigate', { context: this.#context, url, wait: 'complete' });
  }

  async resize(width: number, height: number): Promise<void> {
    await this.#send('browsingContext.setViewport', { context: this.#context, viewport: { width, height } });
  }

  /** Runs an expression in the page. @returns its value, which JSON can tell */
  async evaluate<Value>(expression: string): Promise<Value> {
    const evaluated = (await this.#send('script.evaluate', {
      expression: `Promise.resolve(${expression}).then((value) => JSON.stringify(value ?? null))`,
      target: { context: this.#context },
      awaitPromise: true,
      userActivation: true,
    })) as Evaluated;
    if (evaluated.type === 'exception') throw new Error(evaluated.exceptionDetails?.text);
    return JSON.parse(evaluated.result?.value ?? 'null') as Value;
  }

  async close(): Promise<void> {
    const exited = once(this.process, 'exit');
    this.socket.close();
    this.process.kill();
    await exited;
    await rm(this.profile, { recursive: true, force: true });
  }

  #send(method: string, params: object): Promise<unknown> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, ({ type, result, message }) => {
        if (type === 'success') resolve(result);
        else reject(new Error(`${method}: ${message}`));
      });
      this.socket.send(JSON.stringify({ id, method, params }));
    });
  }

  #take(answer: Answer): void {
    if (answer.type === 'event') {
      if (answer.params?.level === 'error') this.errors.push(answer.params.text ?? '');
      return;
    }
    this.#waiting.get(answer.id ?? 0)?.(answer);
    this.#waiting.delete(answer.id ?? 0);
  }
}

/** Where it listens, which it says when it has started. */
async function addressOf(process: ChildProcess): Promise<string> {
  const giveUp = setTimeout(() => process.kill(), START_MS);
  try {
    for await (const line of createInterface(process.stderr!)) {
      const [, address] = /^WebDriver BiDi listening on (ws:\S+)/.exec(line) ?? [];
      if (address !== undefined) return address;
    }
  } finally {
    clearTimeout(giveUp);
    // What it says later must not fill the pipe.
    process.stderr!.resume();
  }
  throw new Error('Firefox ended before it listened');
}
