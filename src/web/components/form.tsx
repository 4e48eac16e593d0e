import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { usePageContext } from './page-context.js';

/** What was typed into the form around a field before it was refused; `null`: nothing, so it shows what is saved. */
const TypedFields = createContext<URLSearchParams | null>(null);

interface FormProps {
  action: string;
  class?: string;
  /** Sent with it. Forms of the same action are told apart by it. */
  hidden?: Readonly<Record<string, string>>;
  children: ComponentChildren;
}

/** A form that changes something: it carries the session's token. */
export function Form({ action, class: look, hidden = {}, children }: FormProps) {
  const { formToken, typed } = usePageContext();
  const sent = Object.entries(hidden);
  const isThis = typed?.action === action && sent.every(([name, value]) => value === (typed.fields.get(name) ?? value));
  return (
    <TypedFields.Provider value={isThis ? typed.fields : null}>
      <form method="post" action={action} class={look}>
        {formToken && <input type="hidden" name="form_token" value={formToken} />}
        {sent.map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        {children}
      </form>
    </TypedFields.Provider>
  );
}

/** What was typed into a field of the form around it; `null`: nothing. */
export function useTyped(name: string): string | null {
  return useContext(TypedFields)?.get(name) ?? null;
}

/** What a form shows, sent along so that what a person left as it was undoes nothing: see `changedTextOf`. */
export function Was({ fields }: { fields: Readonly<Record<string, string>> }) {
  const typed = useContext(TypedFields);
  return Object.entries(fields).map(([field, value]) => {
    const name = `${field}_was`;
    return <input key={name} type="hidden" name={name} value={typed?.get(name) ?? value} />;
  });
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

/** The button of a form, below its fields. */
export function Submit({ class: look, children }: { class?: string; children: ComponentChildren }) {
  return (
    <div>
      <button type="submit" class={look || undefined}>
        {children}
      </button>
    </div>
  );
}

interface TitledFormProps {
  title: string;
  action: string;
  /** The text of its button. */
  submit: ComponentChildren;
  /** The look of its button; none: the main button of the page. */
  look?: 'second' | 'danger' | '';
  children?: ComponentChildren;
}

/** A form in a card of its own. */
export function FormCard({ title, action, submit, look = 'second', id, children }: TitledFormProps & { id?: string }) {
  return (
    <section class="card" id={id}>
      <h2>{title}</h2>
      <Form action={action} class="stack">
        {children}
        <Submit class={look}>{submit}</Submit>
      </Form>
    </section>
  );
}

interface FoldedFormProps extends TitledFormProps {
  class?: string;
  open?: boolean;
}

/** A form that opens on demand, and stands open where something was typed into it. */
export function FoldedForm({ title, action, submit, look, class: box, open = false, children }: FoldedFormProps) {
  const { typed } = usePageContext();
  return (
    <details class={box} open={open || typed?.action === action}>
      <summary>{title}</summary>
      <Form action={action} class="stack">
        {children}
        <Submit class={look}>{submit}</Submit>
      </Form>
    </details>
  );
}

interface ButtonFormProps {
  action: string;
  hidden?: Readonly<Record<string, string>>;
  look?: string;
  /** For screen readers, where several buttons have the same text. */
  label?: string;
  children: ComponentChildren;
}

/** A form of nothing but its button. */
export function ButtonForm({ action, hidden = {}, look = 'second small', label, children }: ButtonFormProps) {
  return (
    <Form action={action} hidden={hidden}>
      <button type="submit" class={look || undefined} aria-label={label}>
        {children}
      </button>
    </Form>
  );
}
