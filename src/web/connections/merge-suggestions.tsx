import { toMergeSuggestionResponse } from '../../sync/overview/connection.response.js';
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
        {only ? toMergeSuggestionResponse(only).message : messageOn(offers.length)} Until then only the new{' '}
        {only ? 'one counts' : 'ones count'} in net worth. Merging cannot be undone.
      </p>
      {only ? <Answers offer={only} then={then} /> : <AnswersOfAll offers={offers} then={then} />}
    </Notice>
  );
}

function AnswersOfAll({ offers, then }: MergeSuggestionsProps) {
  return (
    <>
      <ul class="offers">
        {offers.map((offer) => (
          <li key={offer.disconnected.id}>
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

/** Either may run from right to left. */
function OfferedNames({ disconnected, replacement }: MergeSuggestion) {
  return (
    <>
      <bdi>{disconnected.name}</bdi>
      {disconnected.name !== replacement.name && (
        <>
          , now <bdi>{replacement.name}</bdi>
        </>
      )}
    </>
  );
}

function MergeAll({ offers, then }: MergeSuggestionsProps) {
  return (
    <Form action="/account-merges" class="actions" hidden={{ then }}>
      {offers.map(({ disconnected, replacement }) => (
        <input key={disconnected.id} type="hidden" name="pair" value={`${disconnected.id} ${replacement.id}`} />
      ))}
      <button type="submit" class="second small">
        Merge all {numberText(offers.length)}
      </button>
    </Form>
  );
}

function Answers({ offer: { disconnected, replacement }, then }: { offer: MergeSuggestion; then: string }) {
  const answers = [
    { path: 'merge', text: 'Merge' },
    { path: 'keep-separate', text: 'Keep separate' },
  ];
  return (
    <div class="actions">
      {answers.map(({ path, text }) => (
        <ButtonForm
          key={path}
          action={`/accounts/${disconnected.id}/${path}`}
          hidden={{ other: replacement.id, then }}
          label={`${text} ${disconnected.name}`}
        >
          {text}
        </ButtonForm>
      ))}
    </div>
  );
}
