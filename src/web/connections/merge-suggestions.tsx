import { mergeQuestion } from '../../sync/overview/connection.response.js';
import type { MergeSuggestion } from '../../balances/accounts/duplicates/merge-suggestions.js';
import { ButtonForm, Form } from '../components/form.js';
import { numberText } from '../components/money.js';
import { Notice } from '../components/notice.js';

/** Asks for each disconnected account whether a newer one is the same. */
interface MergeSuggestionsProps {
  offers: readonly MergeSuggestion[];
  /** The page to return to. */
  then: 'home' | 'connections';
}

export function MergeSuggestions({ offers, then }: MergeSuggestionsProps) {
  const [only] = offers.length === 1 ? offers : [];
  return (
    <Notice kind="warn">
      <p>
        {only ? mergeQuestion(only) : messageOn(offers.length)} Until then only the new{' '}
        {only ? 'one counts' : 'ones count'} in net worth. Merging cannot be undone.
      </p>
      {only ? <Answers offer={only} then={then} /> : <AnswersOfAll offers={offers} then={then} />}
    </Notice>
  );
}

function AnswersOfAll({ offers, then }: MergeSuggestionsProps) {
  return (
    <>
      <ul class="lines">
        {offers.map((offer) => (
          <li key={offer.disconnected.id} class="line">
            <span>
              <OfferedNames {...offer} />
            </span>
            <Answers offer={offer} then={then} />
          </li>
        ))}
      </ul>
      <MergeAll offers={offers} then={then} />
    </>
  );
}

function messageOn(accounts: number): string {
  return (
    `${numberText(accounts)} accounts are disconnected, and just as many new ones look like them. ` +
    'Merge those that are the same account to continue its history; keep the others separate.'
  );
}

/** Either may run from right to left. Several banks have a "Checking", so that the bank and the pages tell which it is. */
function OfferedNames({ disconnected, replacement }: MergeSuggestion) {
  return (
    <>
      <a href={`/accounts/${disconnected.id}`}>{disconnected.name}</a>
      {disconnected.name !== replacement.name && (
        <>
          , now <a href={`/accounts/${replacement.id}`}>{replacement.name}</a>
        </>
      )}{' '}
      <span class="quiet small">{disconnected.institution}</span>
    </>
  );
}

function MergeAll({ offers, then }: MergeSuggestionsProps) {
  return (
    <Form action="/account-merges" class="actions" hidden={{ then }}>
      {offers.map(({ disconnected, replacement }) => (
        <input key={disconnected.id} type="hidden" name="pair" value={`${disconnected.id} ${replacement.id}`} />
      ))}
      <details>
        <summary>Merge all {numberText(offers.length)}</summary>
        <button type="submit" class="second small">
          Merge all permanently
        </button>
      </details>
    </Form>
  );
}

/** Merging cannot be undone, so that it takes a second click. */
function Answers({ offer: { disconnected, replacement }, then }: { offer: MergeSuggestion; then: string }) {
  const hidden = { other: replacement.id, then };
  const path = `/accounts/${disconnected.id}`;
  return (
    <div class="actions">
      <details>
        <summary aria-label={`Merge ${disconnected.name}`}>Merge</summary>
        <ButtonForm action={`${path}/merge`} hidden={hidden} label={`Merge ${disconnected.name} permanently`}>
          Merge permanently
        </ButtonForm>
      </details>
      <ButtonForm action={`${path}/keep-separate`} hidden={hidden} label={`Keep separate ${disconnected.name}`}>
        Keep separate
      </ButtonForm>
    </div>
  );
}
