import { type ComponentChildren, createContext, type InputHTMLAttributes } from 'preact';
import { useContext } from 'preact/hooks';
import { MIN_PASSWORD_CHARS } from '../../auth/password.js';
import { type RefusedForm, usePageContext } from './page-context.js';

/** The form around a field, if it was refused: its fields show what was sent and what is wrong with it. */
const RefusedAround = createContext<RefusedForm | null>(null);

type Hidden = Readonly<Record<string, string>>;

/** The refused form, if it is that of an action. Forms of the same action are told apart by what they hide. */
export function useRefused(action: string, hidden: Hidden = {}): RefusedForm | null {
  const { refused } = usePageContext();
  if (refused?.action !== action) return null;
  return Object.entries(hidden).every(([name, value]) => value === (refused.fields.get(name) ?? value))
    ? refused
    : null;
}

interface FormProps {
  action: string;
  class?: string;
  /** Sent with it. */
  hidden?: Hidden;
  /** Its route takes a file. */
  hasFile?: boolean | undefined;
  children: ComponentChildren;
}

/** A form that changes something: it carries the session's token. */
export function Form({ action, class: look, hidden = {}, hasFile = false, children }: FormProps) {
  const { formToken } = usePageContext();
  return (
    <RefusedAround.Provider value={useRefused(action, hidden)}>
      <form method="post" action={action} class={look} enctype={hasFile ? 'multipart/form-data' : undefined}>
        {formToken && <input type="hidden" name="form_token" value={formToken} />}
        {Object.entries(hidden).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        {children}
      </form>
    </RefusedAround.Provider>
  );
}

interface LabelledProps {
  name: string;
  /** For a page with several fields of one name. */
  id?: string;
  label: string;
  hint?: ComponentChildren;
}

interface FieldProps extends LabelledProps {
  type?: 'text' | 'email' | 'password' | 'date' | 'search';
  value?: string | undefined;
  /** Whether a refused form comes back without it, as passwords do. */
  isSecret?: boolean;
  autocomplete?: string;
  required?: boolean;
  minLength?: number;
  maxLength?: number;
  /** The newest day that a date field accepts. */
  max?: string;
  autofocus?: boolean;
  spellcheck?: boolean;
}

/** A label, its field, a hint and the error, linked for screen readers. */
export function Field({ label, hint, id, autofocus = false, value, isSecret, ...given }: FieldProps) {
  const key = id ?? given.name;
  const refused = useContext(RefusedAround);
  const error = refused?.errors[given.name];
  const typed = isSecret || given.type === 'password' ? null : refused?.fields.get(given.name);
  // A refused form is corrected where it is wrong.
  const isFirst = refused ? error !== undefined : autofocus;
  // Preact's type has one shape for each kind of input; ours says less.
  const input = { type: 'text', ...given, autofocus: isFirst || undefined, value: typed ?? value };
  return (
    <FieldFrame id={key} label={label} hint={hint} error={error}>
      <input id={key} {...describedBy(key, hint, error)} {...(input as InputHTMLAttributes<HTMLInputElement>)} />
    </FieldFrame>
  );
}

/** A field to choose a file, on which one can be dropped. A refused form comes back without it. */
export function FileField({ name, id = name, label, hint, accept }: LabelledProps & { accept?: string }) {
  const refused = useContext(RefusedAround);
  const error = refused?.errors[name];
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <input id={id} name={name} type="file" accept={accept} required {...describedBy(id, hint, error)} />
    </FieldFrame>
  );
}

interface SelectProps extends LabelledProps {
  /** Whether an option without a value is no choice. */
  required?: boolean;
  selected: string;
  options: readonly { value: string; text: string }[];
}

export function SelectField({ label, hint, name, id = name, selected, options, required }: SelectProps) {
  const refused = useContext(RefusedAround);
  const error = refused?.errors[name];
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <select id={id} name={name} required={required} autofocus={error !== undefined} {...describedBy(id, hint, error)}>
        <Options options={options} selected={refused?.fields.get(name) ?? selected} />
      </select>
    </FieldFrame>
  );
}

export function Options({ options, selected }: Pick<SelectProps, 'options' | 'selected'>) {
  return options.map(({ value, text }) => (
    <option key={value} value={value} selected={value === selected}>
      {text}
    </option>
  ));
}

interface FieldFrameProps extends Omit<LabelledProps, 'name'> {
  id: string;
  error: string | undefined;
  children: ComponentChildren;
}

function FieldFrame({ id, label, hint, error, children }: FieldFrameProps) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
      <FieldError of={id} error={error} />
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

function FieldError({ of, error }: { of: string; error: string | undefined }) {
  if (!error) return null;
  return (
    <p class="field-error" id={`${of}-error`}>
      {error}
    </p>
  );
}

function describedBy(id: string, hint: ComponentChildren, error: string | undefined) {
  const ids = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return { 'aria-describedby': ids || undefined, 'aria-invalid': error ? ('true' as const) : undefined };
}

interface PasswordFieldProps extends LabelledProps {
  hint?: string;
  autofocus?: boolean;
}

export function PasswordField(props: PasswordFieldProps) {
  return <Field type="password" autocomplete="current-password" required {...props} />;
}

export function NewPasswordField({ hint = '', ...props }: PasswordFieldProps) {
  const rule = `At least ${MIN_PASSWORD_CHARS} characters.`;
  const field = { ...props, required: true, minLength: MIN_PASSWORD_CHARS, hint: `${rule} ${hint}`.trim() };
  return <Field type="password" autocomplete="new-password" {...field} />;
}

/** Asks for the password, unless it was given recently. */
export function ConfirmPassword({ id }: { id: string }) {
  const { session } = usePageContext();
  const isWrong = useContext(RefusedAround)?.errors.confirm_password !== undefined;
  if (session?.isPasswordFresh !== false && !isWrong) return null;
  return <PasswordField id={id} name="confirm_password" label="Your password" hint="To confirm it is you." />;
}

/** A group of choices with one name. */
export function Choices({ name, legend, class: look, children }: ChoicesProps) {
  const error = useContext(RefusedAround)?.errors[name];
  return (
    <fieldset class={look} aria-describedby={error ? `${name}-error` : undefined}>
      <legend>{legend}</legend>
      {children}
      <FieldError of={name} error={error} />
    </fieldset>
  );
}

interface ChoicesProps {
  name: string;
  legend: string;
  class?: string;
  children: ComponentChildren;
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
  const refused = useContext(RefusedAround);
  const isChecked = refused ? refused.fields.getAll(name).includes(value) : checked;
  const isWrong = type === 'radio' && isChecked && refused?.errors[name] !== undefined;
  return (
    <label class="choice">
      <input type={type} name={name} value={value} checked={isChecked} autofocus={isWrong || undefined} />
      <span>{children}</span>
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
  hasFile?: boolean;
  children?: ComponentChildren;
}

/** A form in a card of its own. */
export function FormCard({
  title,
  action,
  submit,
  look = 'second',
  id,
  hasFile,
  children,
}: TitledFormProps & { id?: string }) {
  return (
    <section class="card" id={id}>
      <h2>{title}</h2>
      <Form action={action} class="stack" hasFile={hasFile}>
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

/** A form that opens on demand, and stands open where it was refused. */
export function FoldedForm({ title, action, submit, look, class: box, open = false, children }: FoldedFormProps) {
  return (
    <details class={box} open={useRefused(action) !== null || open}>
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
  hidden?: Hidden;
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
