import type { ComponentChildren } from 'preact';

/** Above the heading of a page that belongs to another one. The name of an account or connection may run from right to left. */
export function BackLink({ href, children }: { href: string; children: ComponentChildren }) {
  return (
    <a class="back" href={href}>
      ← <bdi>{children}</bdi>
    </a>
  );
}
