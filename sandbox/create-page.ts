import { html, json, type HttpReply } from './reply.js';

interface Played {
  name: string;
  plays: string;
}

interface HandedOut {
  scenario: Played;
  title: string;
  /** The page's own address. */
  path: string;
  /** The secret: its member in JSON, its text, and its name in a sentence. */
  secret: { name: string; text: string; words: string };
  /** Further members of the JSON. */
  more: Record<string, string>;
  wantsHtml: boolean;
}

/** A new secret and the list of scenarios: a page for a browser, JSON for other clients. */
export function createPage(
  { scenario, title, path, secret, more, wantsHtml }: HandedOut,
  scenarios: readonly Played[],
): HttpReply {
  if (!wantsHtml) {
    return json({
      scenario: scenario.name,
      plays: scenario.plays,
      [secret.name]: secret.text,
      ...more,
      scenarios: scenarios.map(({ name, plays }) => ({ name, plays })),
    });
  }
  const rows = scenarios.map(
    ({ name, plays }) => `<dt><a href="${path}?scenario=${name}">${name}</a></dt><dd>${plays}</dd>`,
  );
  return html(
    200,
    title,
    `<p>${secret.words} for <b>${scenario.name}</b>:</p><p><code>${secret.text}</code></p>` +
      `<p>${scenario.plays}</p><h2>Scenarios</h2><dl>${rows.join('')}</dl>`,
  );
}
