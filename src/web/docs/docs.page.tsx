import { usePageContext } from '../components/page-context.js';
import { Page } from '../layout/document.js';

/** Operations of the API, as the document has them. */
export interface ListedTag {
  name: string;
  description: string;
  operations: { id: string; method: string; path: string; summary: string }[];
}

/** How to begin, and what there is. Swagger UI weighs more than all pages together, and comes when it is opened. */
export function DocsPage({ tags }: { tags: readonly ListedTag[] }) {
  return (
    <Page
      title="API"
      scripts={['docs']}
      back={{ href: '/', text: 'Overview' }}
      heading="Tidemark API"
      aside={
        <a class="button" href="#explorer" data-explorer>
          Open Swagger UI
        </a>
      }
    >
      <Start />
      <div class="operations">
        {tags.map((tag) => (
          <OperationList key={tag.name} tag={tag} />
        ))}
      </div>
      <div id="swagger-ui" />
    </Page>
  );
}

function Start() {
  const { session, origin } = usePageContext();
  return (
    <section class="card start">
      <h2>Start</h2>
      <ol>
        <li>
          <b>Key.</b> Create one under <a href="/keys">API keys</a>
          {session ? '' : ' (sign in first)'} and send it in the header <code>X-Api-Key</code>.
        </li>
        <li>
          <b>First call.</b>{' '}
          <code class="command">{`curl -s -H "X-Api-Key: $KEY" '${origin}/api/v1/balances?per_page=3'`}</code>
        </li>
        <li>
          <b>Try it here.</b> Open Swagger UI with the button above, press <b>Authorize</b> above the first operation
          and paste the key.
        </li>
        <li>
          <b>Paging.</b> Follow <code>rel="next"</code> in the header <code>Link</code>. To read everything, start with{' '}
          <code>cursor=first</code> and continue with <code>next_cursor</code>.
        </li>
        <li>
          <b>Errors.</b> Each has an <code>error</code> code and a <code>message</code>. After 429 and 503, wait for{' '}
          <code>Retry-After</code> seconds.
        </li>
        <li>
          <b>Freshness.</b> A connection says when it was last synced. <code>If-None-Match</code> answers 304 while
          nothing has changed; <code>/api/v1/changes</code> lists what has.
        </li>
      </ol>
      <p class="quiet small">
        OpenAPI document: <a href="/openapi.json">openapi.json</a>, <a href="/openapi.yaml">openapi.yaml</a>
      </p>
    </section>
  );
}

/** May wrap before each slash. */
function breakable(path: string) {
  return path.split(/(?=\/)/).map((part) => (
    <>
      <wbr />
      {part}
    </>
  ));
}

function OperationList({ tag: { name, description, operations } }: { tag: ListedTag }) {
  return (
    <section>
      <h2>{name}</h2>
      <p class="quiet small">{description}</p>
      <ul class="lines">
        {operations.map(({ id, method, path, summary }) => (
          <li key={id}>
            <a href={`#/${encodeURIComponent(name)}/${id}`}>
              <code class="method">{method}</code> <code>{breakable(path)}</code>
            </a>
            <span class="quiet small">{summary}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
