import { CopyableSecret } from '../components/copyable-secret.js';
import { Notice } from '../components/notice.js';
import type { ShownOnce } from '../layout/sent-twice.js';

/** What a form has made, until its page shows it. */
export interface MadeSecret {
  secret: string;
}

/** The only time that a secret is shown. */
export function SigningSecret({ secret }: { secret: ShownOnce<MadeSecret> }) {
  if (secret === null) return null;
  if (secret === 'shown-before') {
    return <Notice kind="warn">This signing secret is shown only once. If you did not copy it, rotate it.</Notice>;
  }
  return (
    <section class="card" role="status">
      <h2>Your signing secret</h2>
      <p>Copy it now. It is shown only once. Your program verifies messages with it.</p>
      <CopyableSecret id="signing-secret" text={secret.secret} copy="Copy secret" />
    </section>
  );
}
