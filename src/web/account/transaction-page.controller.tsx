import { Body, Get, Param, Post } from '@nestjs/common';
import type { Session } from '../../auth/sessions.service.js';
import { CorrectionsService } from '../../balances/own-knowledge/corrections.service.js';
import { MAX_NOTE_CHARS } from '../../balances/own-knowledge/corrections.controller.js';
import type { TransactionRecordResponse } from '../../balances/transactions/transaction-record.response.js';
import { minorDigits } from '../../platform/money/currency.js';
import { decimalText } from '../../platform/money/minor-units.js';
import { type CalendarDate, dateInTimeZone } from '../../platform/time/calendar-date.js';
import { Clock } from '../../platform/time/clock.js';
import { ButtonForm, Choice, Field, FormCard } from '../components/form.js';
import { amountError, amountOf, type Fields, isTicked, textOf } from '../components/form-fields.js';
import { anyMoneyText, numberText } from '../components/money.js';
import { Notice } from '../components/notice.js';
import type { FieldErrors } from '../components/page-context.js';
import { Day } from '../components/when.js';
import { Page } from '../layout/document.js';
import { type PageReply, redirectTo, refuse } from '../layout/page-reply.js';
import { ignoreRemoved } from '../layout/sent-twice.js';
import { CurrentSession, WebPage } from '../layout/web-page.js';
import { dayError } from './statements-page.controller.js';
import { Marks } from './transactions.js';

/** One transaction: what is listed, and what the person says of it. */
@WebPage('transactions/:id')
export class TransactionPageController {
  constructor(
    private readonly corrections: CorrectionsService,
    private readonly clock: Clock,
  ) {}

  @Get()
  async show(@CurrentSession() session: Session, @Param('id') id: string): Promise<PageReply> {
    return this.#page(session, await this.corrections.find(session, id));
  }

  @Post()
  async correct(@CurrentSession() session: Session, @Param('id') id: string, @Body() body: Fields): Promise<PageReply> {
    const record = await this.corrections.find(session, id);
    const { currency, source, reported_date: listedOn } = record;
    const { numberFormat } = session.preferences;
    const [date, note] = [textOf(body, 'date'), textOf(body, 'note')];
    const minor = amountOf(body, 'amount', currency, numberFormat);
    const errors: FieldErrors = {
      ...(date !== record.date && dayError(date, this.#today(session))),
      ...(minor === null && { amount: amountError(currency, numberFormat) }),
      ...(note.length > MAX_NOTE_CHARS && { note: `Enter at most ${MAX_NOTE_CHARS} characters.` }),
    };
    if (minor === null || Object.keys(errors).length > 0) return refuse(this.#page(session, record), errors);
    // What is as it is listed needs no correction.
    const isAsListed = (isSame: boolean) => isSame && source !== 'person';
    await this.corrections.correct(session, id, {
      ...(date !== record.date && { date: isAsListed(date === listedOn) ? null : date }),
      ...(minor !== record.amount_cents && { amount: isAsListed(minor === listedMinor(record)) ? null : () => minor }),
      ...(isTicked(body, 'excluded') !== record.excluded && { excluded: isTicked(body, 'excluded') || null }),
      note: note || null,
    });
    return redirectTo(`/transactions/${id}`);
  }

  /** Counts a row of a file that the bank does not list. */
  @Post('count')
  async count(@CurrentSession() session: Session, @Param('id') id: string): Promise<PageReply> {
    await this.corrections.correct(session, id, { excluded: false });
    return redirectTo(`/transactions/${id}`);
  }

  @Post('undo')
  async undo(@CurrentSession() session: Session, @Param('id') id: string): Promise<PageReply> {
    await this.corrections.undo(session, id).catch(ignoreRemoved);
    return redirectTo(`/transactions/${id}`);
  }

  @Post('delete')
  async remove(@CurrentSession() session: Session, @Param('id') id: string): Promise<PageReply> {
    const { account } = await this.corrections.find(session, id);
    await this.corrections.remove(session, id).catch(ignoreRemoved);
    return redirectTo(`/accounts/${account.id}`);
  }

  #today({ timeZone }: Session): CalendarDate {
    return dateInTimeZone(this.clock.now(), timeZone);
  }

  #page(session: Session, record: TransactionRecordResponse) {
    return <TransactionPage record={record} today={this.#today(session)} />;
  }
}

/** What is listed of it, in the holder's view. */
function listedMinor({ versions, reported_amount_cents: reported }: TransactionRecordResponse): number {
  return versions[0]?.amount_cents ?? reported;
}

interface TransactionPageProps {
  record: TransactionRecordResponse;
  today: CalendarDate;
}

function TransactionPage({ record, today }: TransactionPageProps) {
  const { id, account, merchant, description, currency, status, amount_cents: minor, date } = record;
  const isListed = status === 'posted' || status === 'pending';
  const title = merchant ?? (description || 'No description');
  return (
    <Page
      title={title}
      back={{ href: `/accounts/${account.id}`, text: account.name }}
      lead={merchant !== null && merchant !== description && description}
      aside={
        <div class="head-amount">
          <p class="figure">{anyMoneyText(minor, currency)}</p>
          <p class="quiet small">
            <Day date={date} /> {status === 'pending' && <span class="badge warn">Pending</span>}
          </p>
        </div>
      }
      isReading
    >
      <Standing record={record} />
      {isListed && <EditForm record={record} today={today} />}
      {isListed && record.source === 'person' && (
        <ButtonForm action={`/transactions/${id}/delete`} look="danger">
          Delete this transaction
        </ButtonForm>
      )}
    </Page>
  );
}

/** What a list says of it, and what became of it. */
function Standing({ record }: { record: TransactionRecordResponse }) {
  const { id, status, source, replaced_by: by, correction } = record;
  return (
    <>
      {status === 'withdrawn' && (
        <Notice kind="warn">The bank no longer lists this transaction. It is not counted.</Notice>
      )}
      {status === 'superseded' && (
        <Notice kind="done">
          {source === 'bank'
            ? 'Another transaction took its place.'
            : 'The bank or a file lists this transaction itself.'}{' '}
          {by && <a href={`/transactions/${by}`}>Show that one</a>}
        </Notice>
      )}
      {status === 'left_out' && (
        <section class="card stack">
          <p>A file has this transaction; the bank or a later file lists its day without it. It is not counted.</p>
          <ButtonForm action={`/transactions/${id}/count`}>Count it all the same</ButtonForm>
        </section>
      )}
      {correction?.state === 'no_longer_needed' && (
        <Notice kind="done">The bank lists what you said now, so your correction is no longer needed.</Notice>
      )}
      {(record.corrected || correction !== null) && status !== 'superseded' && (
        <section class="card stack" aria-label="Your correction">
          <p>
            <Marks row={record} /> <Listed record={record} />
          </p>
          {correction !== null && record.source !== 'person' && (
            <ButtonForm action={`/transactions/${id}/undo`}>Take back all that I said of it</ButtonForm>
          )}
        </section>
      )}
    </>
  );
}

const LISTED_BY = { bank: 'The bank lists', file: 'The file lists', person: 'You have added' };

function Listed({ record }: { record: TransactionRecordResponse }) {
  return (
    <>
      {LISTED_BY[record.source]} <span class="money">{anyMoneyText(listedMinor(record), record.currency)}</span> on{' '}
      <Day date={record.reported_date} />.
    </>
  );
}

function EditForm({ record, today }: TransactionPageProps) {
  const { id, date, currency, amount_cents: minor, excluded, note, source } = record;
  return (
    <FormCard title="Edit" action={`/transactions/${id}`} submit="Save" look="">
      <Field name="date" label="Date" type="date" required max={date > today ? date : today} value={date} />
      <Field
        name="amount"
        label="Amount"
        required
        value={typedText(minor, currency)}
        hint={
          <>
            Negative is money out.{' '}
            {source !== 'person' && (
              <>
                <Listed record={record} /> That stays stored beside what you enter.
              </>
            )}
          </>
        }
      />
      <Choice name="excluded" checked={excluded}>
        Leave it out of all balances
      </Choice>
      <Field name="note" label="Note" maxLength={MAX_NOTE_CHARS} value={note ?? ''} />
    </FormCard>
  );
}

/** An amount as the person would type it. */
function typedText(minor: number, currency: string): string {
  const digits = minorDigits(currency) ?? 0;
  return numberText(decimalText(minor, digits), { minimumFractionDigits: digits, useGrouping: false });
}
