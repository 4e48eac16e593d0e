import { sandboxSetupToken, US_SANDBOX_PATH } from './setup-token.js';
import { html, json, type HttpReply } from '../reply.js';
import type { Scenario } from './scenario.js';

/** A fresh setup token and the list of what can be played: a page for a browser, JSON for everything else. */
export function createPage(
  { scenario, code, origin, wantsHtml }: { scenario: Scenario; code: string; origin: string; wantsHtml: boolean },
  scenarios: readonly Scenario[],
): HttpReply {
  const token = sandboxSetupToken(origin, scenario.name, code);
  if (!wantsHtml) {
    return json({
      scenario: scenario.name,
      plays: scenario.plays,
      setup_token: token,
      code: `${scenario.name}-${code}`,
      scenarios: scenarios.map(({ name, plays }) => ({ name, plays })),
    });
  }
  const rows = scenarios.map(
    ({ name, plays }) => `<dt><a href="${US_SANDBOX_PATH}/create?scenario=${name}">${name}</a></dt><dd>${plays}</dd>`,
  );
  return html(
    200,
    'Sandbox of the US provider',
    `<p>Setup token for <b>${scenario.name}</b>, good for one claim:</p><p><code>${token}</code></p>` +
      `<p>${scenario.plays}</p><h2>Scenarios</h2><dl>${rows.join('')}</dl>`,
  );
}
