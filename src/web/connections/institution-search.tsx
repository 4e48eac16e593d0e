import type { Institution } from '../../providers/bank-provider.js';
import { Choice, Choices, Field, Submit } from '../components/form.js';
import { Notice } from '../components/notice.js';

/** What a person looks for, and what was found: banks, or a sentence. */
export interface Search {
  provider: string;
  country: string;
  text: string;
  found: readonly Institution[] | string;
}

/** Without scripts: its results are on the page that it opens. */
export function InstitutionSearch({ provider, search }: { provider: string; search: Search | null }) {
  const found = search?.found;
  return (
    <form method="get" action="/connections/new" class="stack">
      <input type="hidden" name="provider" value={provider} />
      <Field
        id={`${provider}-country`}
        name="country"
        label="Country of the bank"
        hint="Two letters, such as DE."
        required
        minLength={2}
        maxLength={2}
        value={search?.country}
      />
      <Field id={`${provider}-search`} type="search" name="search" label="Name of the bank" value={search?.text} />
      <Submit class="second">Search</Submit>
      {typeof found === 'string' && <Notice kind="warn">{found}</Notice>}
      {Array.isArray(found) && found.length === 0 && <Notice kind="warn">No bank was found.</Notice>}
    </form>
  );
}

export function FoundInstitutions({ search }: { search: Search | null }) {
  if (typeof search?.found !== 'object') return null;
  return (
    <Choices name="institution" legend="Your bank">
      {search.found.map(({ id, name }, index) => (
        <Choice key={id} type="radio" name="institution" value={id} checked={index === 0}>
          {name}
        </Choice>
      ))}
    </Choices>
  );
}
