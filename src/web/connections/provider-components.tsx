import type { ProviderDescriptor } from '../../bank-provider/provider-descriptor.js';
import { Field } from '../components/field.js';

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
export function SecretField({ id, label, error }: { id?: string; label: string; error: string | undefined }) {
  return <Field id={id} name="secret" label={label} required autocomplete="off" spellcheck={false} error={error} />;
}
