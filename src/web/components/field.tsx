import type { ComponentChildren, InputHTMLAttributes } from 'preact';
import { useTyped } from './form.js';

/** The errors of a form by field name; `''` for the whole form. */
export type FieldErrors = Record<string, string>;

export interface LabelledProps {
  name: string;
  /** For a page with several fields of one name. */
  id?: string;
  label: string;
  hint?: ComponentChildren;
  error?: string | undefined;
}

interface FieldProps extends LabelledProps {
  type?: 'text' | 'email' | 'password' | 'date' | 'search';
  value?: string | undefined;
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
export function Field({ label, hint, error, id, autofocus = false, ...given }: FieldProps) {
  const key = id ?? given.name;
  // A refused form is corrected where it is wrong; of several fields the browser takes the first.
  const isFirst = autofocus || error !== undefined;
  // Preact's type has one shape for each kind of input; ours says less.
  const input = { type: 'text', ...given, autofocus: isFirst || undefined, value: useTyped(given.name) ?? given.value };
  return (
    <FieldFrame id={key} label={label} hint={hint} error={error}>
      <input id={key} {...describedBy(key, hint, error)} {...(input as InputHTMLAttributes<HTMLInputElement>)} />
    </FieldFrame>
  );
}

interface SelectProps extends LabelledProps {
  selected: string;
  options: readonly { value: string; text: string }[];
}

export function SelectField({ label, hint, error, name, id = name, selected, options }: SelectProps) {
  const chosen = useTyped(name) ?? selected;
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <select id={id} name={name} autofocus={error !== undefined} {...describedBy(id, hint, error)}>
        {options.map(({ value, text }) => (
          <option key={value} value={value} selected={value === chosen}>
            {text}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}

interface FieldFrameProps extends Omit<LabelledProps, 'name'> {
  id: string;
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

/** Below a field or a group of choices, which is described by `{of}-error`. */
export function FieldError({ of, error }: { of: string; error: string | undefined }) {
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
