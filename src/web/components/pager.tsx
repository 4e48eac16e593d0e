import { countText } from './number-text.js';

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
        Page {countText(page)} of {countText(last)}
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
