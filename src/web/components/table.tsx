import type { ComponentChildren } from 'preact';

/** The heading of a column. What is `wide-only` is hidden on a phone, where another column has it. */
export function Column({ class: look, children }: { class?: string; children: ComponentChildren }) {
  return (
    <th scope="col" class={look}>
      {children}
    </th>
  );
}

/** A table that scrolls sideways where it is too wide, also with the arrow keys. */
export function WideTable({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label={label}>
      <table>{children}</table>
    </div>
  );
}
