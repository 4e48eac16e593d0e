import { Document } from '../layout/document.js';

/** The first page a newcomer sees. */
export function EmptyHome({ sandbox }: { sandbox: boolean }) {
  return (
    <Document title="Welcome">
      <section class="welcome">
        <h1>Connect your first bank</h1>
        <p class="lead">
          Tidemark then fetches your accounts, works out their balance on every day, and keeps them up to date
          automatically.
        </p>
        <p class="actions">
          <a class="button" href="/connections/new">
            Connect a bank
          </a>
          {sandbox && (
            <a class="button second" href="/connections/new#sandbox">
              Try it with sandbox banks
            </a>
          )}
        </p>
        <ol class="steps">
          <li>
            <b>Connect</b> with a setup token or an API key, which is stored encrypted and used only to read.
          </li>
          <li>
            <b>Watch the first sync.</b> It takes a few seconds to a few minutes.
          </li>
          <li>
            <b>Look.</b> One balance per account per day, reconciled to the cent.
          </li>
        </ol>
      </section>
    </Document>
  );
}
