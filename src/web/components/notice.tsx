import type { ComponentChildren } from 'preact';
import { Icon } from './icons.js';

interface NoticeProps {
  kind: 'done' | 'warn' | 'wrong';
  children: ComponentChildren;
}

/** A highlighted sentence; screen readers announce an error at once. */
export function Notice({ kind, children }: NoticeProps) {
  return (
    <div class={`notice ${kind}`} role={kind === 'wrong' ? 'alert' : 'status'}>
      <Icon name={kind === 'done' ? 'done' : 'warn'} />
      <div>{children}</div>
    </div>
  );
}
