import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { usePageContext } from './page-context.js';

/** What was typed into the form around a field before its session ended; `null`: nothing, so it shows what is saved. */
const TypedFields = createContext<URLSearchParams | null>(null);

/** A form that changes something: it carries the session's token. */
export function Form(props: { action: string; class?: string; children: ComponentChildren }) {
  const { formToken, typed } = usePageContext();
  return (
    <TypedFields.Provider value={typed?.action === props.action ? typed.fields : null}>
      <form method="post" action={props.action} class={props.class}>
        {formToken && <input type="hidden" name="form_token" value={formToken} />}
        {props.children}
      </form>
    </TypedFields.Provider>
  );
}

/** What was typed into a field of the form around it; `null`: nothing. */
export function useTyped(name: string): string | null {
  return useContext(TypedFields)?.get(name) ?? null;
}

/** Whether something was typed into a form, which then stands open. */
export function useIsTyped(action: string): boolean {
  return usePageContext().typed?.action === action;
}

interface ChoiceProps {
  type?: 'checkbox' | 'radio';
  name: string;
  value?: string;
  checked: boolean;
  children: ComponentChildren;
}

/** A box or a button beside its label. */
export function Choice({ type = 'checkbox', name, value = 'on', checked, children }: ChoiceProps) {
  const typed = useContext(TypedFields);
  const isChecked = typed ? typed.getAll(name).includes(value) : checked;
  return (
    <label class="choice">
      <input type={type} name={name} value={value} checked={isChecked} />
      {children}
    </label>
  );
}
