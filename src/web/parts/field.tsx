import type { ComponentChildren, InputHTMLAttributes } from 'preact';

/** What is wrong with a form, by the name of its field; `''` for the form as a whole. */
export type FieldErrors = Record<string, string>;

interface FieldProps {
  name: string;
  label: string;
  hint?: ComponentChildren;
  error?: string | undefined;
  type?: 'text' | 'email' | 'password' | 'date' | 'search';
  value?: string | undefined;
  autocomplete?: string;
  required?: boolean;
  minLength?: number;
  maxLength?: number;
  autofocus?: boolean;
  spellcheck?: boolean;
  list?: string;
}

/** A label, its field, what to enter and what is wrong, tied together for screen readers. */
export function Field({ label, hint, error, ...given }: FieldProps) {
  const { name } = given;
  // Preact's type has one shape for each kind of input; ours says less.
  const input = { type: 'text', ...given } as InputHTMLAttributes<HTMLInputElement>;
  return (
    <FieldFrame {...{ name, label, hint, error }}>
      <input id={name} {...describedBy(name, hint, error)} {...input} />
    </FieldFrame>
  );
}

interface SelectProps {
  name: string;
  label: string;
  hint?: ComponentChildren;
  error?: string | undefined;
  selected: string;
  options: readonly { value: string; text: string }[];
}

export function SelectField({ label, hint, error, name, selected, options }: SelectProps) {
  return (
    <FieldFrame {...{ name, label, hint, error }}>
      <select id={name} name={name} {...describedBy(name, hint, error)}>
        {options.map(({ value, text }) => (
          <option key={value} value={value} selected={value === selected}>
            {text}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}

interface FieldFrameProps {
  name: string;
  label: string;
  hint?: ComponentChildren;
  error?: string | undefined;
  children: ComponentChildren;
}

function FieldFrame({ name, label, hint, error, children }: FieldFrameProps) {
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {children}
      {error && (
        <p class="field-error" id={`${name}-error`}>
          {error}
        </p>
      )}
      {hint && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

function describedBy(name: string, hint: ComponentChildren, error: string | undefined) {
  const ids = [error && `${name}-error`, hint && `${name}-hint`].filter(Boolean).join(' ');
  return { 'aria-describedby': ids || undefined, 'aria-invalid': error ? ('true' as const) : undefined };
}
