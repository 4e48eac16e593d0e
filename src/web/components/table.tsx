import type { ComponentChildren } from 'preact';

interface ColumnProps {
  number?: boolean;
  /** Hidden on a phone, where another column has its values. */
  wideOnly?: boolean;
  children: ComponentChildren;
}

/** The heading of a column. */
export function Column({ number = false, wideOnly = false, children }: ColumnProps) {
  const look = [number && 'number', wideOnly && 'wide-only'].filter(Boolean).join(' ');
  return (
    <th scope="col" class={look || undefined}>
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
