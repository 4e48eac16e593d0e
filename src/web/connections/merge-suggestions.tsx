import { toRelinkOfferResponse } from '../../sync/overview/connection-parts.response.js';
import type { RelinkOffer } from '../../ingest/merge/merge-suggestions.js';
import { Form } from '../components/form.js';
import { Notice } from '../components/notice.js';

/** Accounts that are gone and probably came back as others: the person says of each whether it did. */
export function RelinkOffers({ offers }: { offers: readonly RelinkOffer[] }) {
  const [only] = offers.length === 1 ? offers : [];
  return (
    <Notice kind="warn">
      <p>{only ? toRelinkOfferResponse(only).message : messageOn(offers.length)} Relinking cannot be undone.</p>
      {only ? <Answers offer={only} then="account" /> : <AnswersOfAll offers={offers} />}
    </Notice>
  );
}

function AnswersOfAll({ offers }: { offers: readonly RelinkOffer[] }) {
  return (
    <>
      <ul class="offers">
        {offers.map((offer) => (
          <li key={offer.gone.id}>
            <span>{nameOf(offer)}</span>
            <Answers offer={offer} then="connections" />
          </li>
        ))}
      </ul>
      <RelinkAll offers={offers} />
    </>
  );
}

function messageOn(accounts: number): string {
  return (
    `${accounts} accounts are not synced any more, and as many have come with the same name or kind, bank and currency. ` +
    'Relink those that are one account, and its history continues; keep the others apart.'
  );
}

function nameOf({ gone, here }: RelinkOffer): string {
  return gone.name === here.name ? gone.name : `${gone.name}, now ${here.name}`;
}

function RelinkAll({ offers }: { offers: readonly RelinkOffer[] }) {
  return (
    <Form action="/accounts/relink/all" class="actions">
      {offers.map(({ gone, here }) => (
        <input key={gone.id} type="hidden" name="pair" value={`${gone.id} ${here.id}`} />
      ))}
      <button type="submit" class="second small">
        Relink all {offers.length}
      </button>
    </Form>
  );
}

function Answers(props: { offer: RelinkOffer; then: string }) {
  return (
    <div class="actions">
      <Answer {...props} path="relink" text="Relink" />
      <Answer {...props} path="keep-apart" text="Keep apart" />
    </div>
  );
}

function Answer({ offer, then, path, text }: { offer: RelinkOffer; then: string; path: string; text: string }) {
  const { gone, here } = offer;
  return (
    <Form action={`/accounts/${gone.id}/${path}`}>
      <input type="hidden" name="other" value={here.id} />
      <input type="hidden" name="then" value={then} />
      <button type="submit" class="second small" aria-label={`${text} ${gone.name}`}>
        {text}
      </button>
    </Form>
  );
}
