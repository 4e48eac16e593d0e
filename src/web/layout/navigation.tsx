import { Form } from '../components/form.js';
import { useFrame } from '../components/frame-context.js';
import { BankIcon, KeyIcon, OverviewIcon, SettingsIcon } from '../components/icons.js';

const PLACES = [
  { href: '/', text: 'Overview', Icon: OverviewIcon, here: /^\/($|accounts)/ },
  { href: '/connections', text: 'Connections', Icon: BankIcon, here: /^\/connections/ },
  { href: '/keys', text: 'API keys', Icon: KeyIcon, here: /^\/keys/ },
  { href: '/settings', text: 'Settings', Icon: SettingsIcon, here: /^\/settings/ },
];

export function Navigation() {
  const { path } = useFrame();
  return (
    <>
      <nav class="places" aria-label="Main">
        {PLACES.map(({ href, text, Icon, here }) => (
          <a key={href} href={href} aria-current={here.test(path) ? 'page' : undefined}>
            <Icon />
            <span>{text}</span>
          </a>
        ))}
      </nav>
      <Form action="/sign-out">
        <button class="plain" type="submit">
          Sign out
        </button>
      </Form>
    </>
  );
}
