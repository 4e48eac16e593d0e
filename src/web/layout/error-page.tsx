import { Document } from './document.js';
import type { PageProblem } from './page-problem.js';

export function ErrorPage({ problem, requestId }: { problem: PageProblem; requestId: string }) {
  return (
    <Document title={problem.title}>
      <section class="notice-page">
        <p class="status-figure">{problem.status}</p>
        <h1>{problem.title}</h1>
        <p>{problem.message}</p>
        <p>
          <a class="button" href="/">
            Go to the overview
          </a>
        </p>
        {problem.status >= 500 && (
          <p class="quiet small">
            Request <code>{requestId}</code>
          </p>
        )}
      </section>
    </Document>
  );
}
