import type { VNode } from 'preact';
import { Notice } from './notice.js';

/** What a form has made, on the page that it leads to, which shows it once; `null`: this is another page. */
export type ShownOnce<Made> = Made | 'shown-before' | null;

interface OnceProps<Made extends object> {
  made: ShownOnce<Made>;
  /** What is said when the page is loaded again. */
  again: string;
  children: (made: Made) => VNode;
}

export function Once<Made extends object>({ made, again, children }: OnceProps<Made>) {
  if (made === null) return null;
  return made === 'shown-before' ? <Notice kind="warn">{again}</Notice> : children(made);
}

/** A secret with a button that copies it. */
export function CopyableSecret({ id, text, copy }: { id: string; text: string; copy: string }) {
  return (
    <div class="row">
      <code class="secret" id={id}>
        {text}
      </code>
      <CopyButton of={id} name={copy} />
    </div>
  );
}

/** Has its place from the start, so that nothing moves when the script shows it. */
export function CopyButton({ of, name }: { of: string; name: string }) {
  return (
    <button type="button" class="second copy" data-copy={of}>
      {name}
    </button>
  );
}
