import type { ComponentChildren } from 'preact';
import type { PageQuery } from '../../http/pagination/page.js';
import { numberText } from './money.js';

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

interface PagerProps {
  label: string;
  page: number;
  last: number;
  href: (page: number) => string;
}

/** Links to newer and older pages. */
export function Pager({ label, page, last, href }: PagerProps) {
  if (last === 1) return null;
  return (
    <nav class="pager" aria-label={label}>
      {page > 1 && (
        <a class="button second small" href={href(page - 1)}>
          ← Newer
        </a>
      )}
      <span class="quiet small">
        Page {numberText(page)} of {numberText(last)}
      </span>
      {page < last && (
        <a class="button second small" href={href(page + 1)}>
          Older →
        </a>
      )}
    </nav>
  );
}

/** The page number in an address; the first page by default. */
export function pageOf(text: string): number {
  const page = Number(text);
  return Number.isSafeInteger(page) && page > 0 && page < 1_000_000 ? page : 1;
}

/** The page of a list that an address names, or the last one if its number is too high. */
export async function readPage<Row>(
  text: string,
  perPage: number,
  read: (query: PageQuery) => Promise<{ rows: Row[]; totalCount: number }>,
): Promise<{ rows: Row[]; totalCount: number; page: number; last: number }> {
  const asked = pageOf(text);
  const { rows, totalCount } = await read({ page: asked, per_page: perPage });
  const last = Math.max(1, Math.ceil(totalCount / perPage));
  if (asked <= last) return { rows, totalCount, page: asked, last };
  return { ...(await read({ page: last, per_page: perPage })), page: last, last };
}
