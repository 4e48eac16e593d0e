import { html, plain } from '../../reply.js';
import { FORBIDDEN } from '../forbidden.js';
import type { Scenario } from '../scenario.js';

/** What can go wrong while a setup token is exchanged. */
export const CLAIM_FAULTS: readonly Scenario[] = [
  { name: 'claim-refused', plays: 'The claim is refused, as for a used or withdrawn token.', claim: () => FORBIDDEN },
  { name: 'claim-dropped', plays: 'The claim spends the token; its answer is lost.', claim: () => 'reset' },
  { name: 'claim-html', plays: 'The claim answers 200 with a web page.', claim: () => html(200, 'Welcome') },
  { name: 'claim-empty', plays: 'The claim answers 200 with nothing.', claim: () => plain('') },
  {
    name: 'claim-http',
    plays: 'The claim answers with an unencrypted access URL of another host.',
    claim: ({ accessUrl }) => plain(accessUrl.replace(/^https?:\/\/(.*@)[^/]+/, 'http://$1bridge.example.test')),
  },
  {
    name: 'claim-no-credentials',
    plays: 'The claim answers with an access URL without user and password.',
    claim: ({ accessUrl }) => plain(accessUrl.replace(/\/\/.*@/, '//')),
  },
  {
    name: 'claim-redirect',
    plays: 'The claim redirects to the front page, as a retired host does.',
    claim: ({ origin }) => ({ ...html(302, 'Found'), headers: { Location: `${origin}/` } }),
  },
  {
    name: 'awkward-password',
    plays: 'The password has a slash, an at sign, a colon and a percent sign, encoded in the access URL.',
    password: (usual) => `${usual.slice(0, 24)}/@:%${usual.slice(24)}`,
  },
];
