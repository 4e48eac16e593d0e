import type { ProviderDescriptor } from '../../bank-provider/provider-descriptor.js';
import { Field } from '../components/form.js';

/** Leads to the provider's own site, beside ours. */
export function SiteLink({ provider, look }: { provider: ProviderDescriptor; look?: string }) {
  const { href, text } = provider.texts.site;
  return (
    <a class={look} href={href} target="_blank" rel="noreferrer">
      {text} ↗
    </a>
  );
}

/** Where a person pastes what the provider gave them. */
export function SecretField({ id, label }: { id?: string; label: string }) {
  return <Field id={id} name="secret" label={label} required isSecret autocomplete="off" spellcheck={false} />;
}
