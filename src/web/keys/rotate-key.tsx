import { ConfirmPassword } from '../components/confirm-password.js';
import { SelectField } from '../components/field.js';
import { Form } from '../components/form.js';

/** For how many hours the old secret still works. */
export const OVERLAPS = [
  { value: '24', text: 'Works for another day' },
  { value: '1', text: 'Works for another hour' },
  { value: '168', text: 'Works for another week' },
  { value: '0', text: 'Stops working immediately' },
];

/** A form that was refused: it is shown open, with what is wrong. */
export interface RefusedRotation {
  id: string;
  error: string;
}

interface RotateKeyProps {
  apiKey: { id: string; name: string };
  refused: RefusedRotation | null;
}

export function RotateKey({ apiKey: { id, name }, refused }: RotateKeyProps) {
  const error = refused?.id === id ? refused.error : undefined;
  return (
    <details class="of-key" open={error !== undefined}>
      <summary aria-label={`Rotate ${name}`}>Rotate</summary>
      <Form action={`/keys/${id}/rotate`}>
        <p class="small">The key gets a new secret. Its name, permissions and expiry stay the same.</p>
        <SelectField
          id={`overlap-${id}`}
          name="overlap"
          label="Old secret"
          selected={OVERLAPS[0]!.value}
          options={OVERLAPS}
        />
        <ConfirmPassword id={`rotate-password-${id}`} error={error} />
        <div>
          <button type="submit" class="second small">
            Create new secret
          </button>
        </div>
      </Form>
    </details>
  );
}
