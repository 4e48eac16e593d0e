import type { ComponentChildren } from 'preact';
import { useFrame } from './frame-context.js';

/** A form that changes something: it carries the session's token. */
export function Form(props: { action: string; class?: string; children: ComponentChildren }) {
  const { formToken } = useFrame();
  return (
    <form method="post" action={props.action} class={props.class}>
      {formToken && <input type="hidden" name="form_token" value={formToken} />}
      {props.children}
    </form>
  );
}
