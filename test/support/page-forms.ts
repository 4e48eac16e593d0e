/** A form of a page that a person can fill in, as a browser would send it. */
export interface PageForm {
  action: string;
  hidden: Record<string, string>;
  fields: PageField[];
}

/** A field by its name; boxes and buttons of one name are one field. */
export interface PageField {
  name: string;
  type: string;
  /** What it offers; empty: anything can be typed. */
  offered: string[];
  /** What is typed or chosen. */
  values: string[];
}

type Attributes = Record<string, string>;

export function formsIn(html: string): PageForm[] {
  const forms = [...html.matchAll(/<form method="post" ([^>]*)>([\s\S]*?)<\/form>/g)].map(
    ([, head = '', body = '']) => {
      const inputs = [...body.matchAll(/<input ([^>]*?)\/?>/g)].map(([, text = '']) => attributesIn(text));
      const hidden = inputs.filter(({ type }) => type === 'hidden').map(({ name, value }) => [name!, value ?? '']);
      const visible = inputs.filter(({ type }) => type !== 'hidden');
      return {
        action: attributesIn(head).action!,
        hidden: Object.fromEntries(hidden) as Record<string, string>,
        fields: [...new Set(visible.map(({ name }) => name!))]
          .map((name) => fieldOf(visible.filter((input) => input.name === name)))
          .concat([...body.matchAll(/<select ([^>]*)>([\s\S]*?)<\/select>/g)].map(selectOf)),
      };
    },
  );
  return forms.filter(({ fields }) => fields.length > 0);
}

function fieldOf(inputs: readonly Attributes[]): PageField {
  const { name = '', type = 'text', value = '' } = inputs[0]!;
  if (type !== 'checkbox' && type !== 'radio') return { name, type, offered: [], values: [value] };
  const valuesOf = (some: readonly Attributes[]) => some.map((input) => input.value ?? 'on');
  return { name, type, offered: valuesOf(inputs), values: valuesOf(inputs.filter((input) => 'checked' in input)) };
}

function selectOf([, head = '', body = '']: RegExpExecArray | RegExpMatchArray): PageField {
  const options = [...body.matchAll(/<option ([^>]*)>/g)].map(([, text = '']) => attributesIn(text));
  const [first] = options;
  const chosen = options.find((option) => 'selected' in option) ?? first;
  const offered = options.map(({ value = '' }) => value);
  return { name: attributesIn(head).name!, type: 'select', offered, values: [chosen?.value ?? ''] };
}

const SIGNS: Record<string, string> = { quot: '"', amp: '&', lt: '<', gt: '>' };

function attributesIn(text: string): Attributes {
  const found = [...text.matchAll(/([\w-]+)(?:="([^"]*)")?/g)];
  return Object.fromEntries(
    found.map(([, name = '', value = '']) => [
      name,
      value.replace(/&(\w+);/g, (all, sign: string) => SIGNS[sign] ?? all),
    ]),
  );
}
