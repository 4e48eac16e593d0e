import { NUMBER_FORMATS, type NumberFormat, type Preferences, type Theme, THEMES } from '../../auth/preferences.js';
import { SelectField } from '../components/field.js';
import { Form, Submit } from '../components/form.js';
import { numbersIn, withNumberFormat } from '../components/number-text.js';

const THEME_TEXTS: Record<Theme, string> = {
  system: 'Same as your device',
  light: 'Light',
  dark: 'Dark',
};

const EXAMPLE = '1,234,567.89';

export function Appearance({ preferences }: { preferences: Preferences }) {
  return (
    <section class="card">
      <h2>Appearance</h2>
      <Form action="/settings/appearance" class="stack">
        <SelectField
          name="theme"
          label="Theme"
          selected={preferences.theme}
          options={THEMES.map((theme) => ({ value: theme, text: THEME_TEXTS[theme] }))}
        />
        <SelectField
          name="number_format"
          label="Number format"
          selected={preferences.numberFormat}
          options={NUMBER_FORMATS.map((format) => ({ value: format, text: exampleOf(format) }))}
          hint="On these pages only. The API and its files stay the same."
        />
        <Submit class="second">Save</Submit>
      </Form>
    </section>
  );
}

function exampleOf(format: NumberFormat): string {
  return withNumberFormat(format, () => numbersIn(EXAMPLE));
}
