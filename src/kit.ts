import { Module } from '@nestjs/common';
import { AuthModule } from './auth/auth.module.js';
import { AccountsModule } from './balances/accounts/accounts.module.js';
import { BalancesModule } from './balances/balances.module.js';
import { ScheduleModule } from './sync/jobs/schedule.module.js';
import { SyncModule } from './sync/sync.module.js';

/**
 * Everything that a module beside the core may import of Tidemark. Within a major version nothing here is renamed or taken
 * out, and nothing changes what it does; everything that is not here may change at any time. docs/extend/module.md builds
 * a module with it.
 */

// What a module is.

/** @example export const goals = defineModule({ name: 'goals', module: GoalsModule, entities: [Goal] }); */
export { defineModule, defineTool, KIT_VERSION } from './platform/module.js';
/** The types of what a descriptor has. @example const follow: EventHandler = ({ userId }, get) => get(Goals).follow(userId); */
export type {
  Attention,
  AuditText,
  ChangedRecords,
  Command,
  CommandContext,
  DatabaseGauge,
  DeletedAccounts,
  EventHandler,
  EventType,
  Get,
  MergedAccounts,
  ModuleEvent,
  PageLink,
  PersonalTable,
  Prune,
  Scope,
  SealedTable,
  Task,
  TidemarkModule,
  Tool,
} from './platform/module.js';

const OFFERED = [AuthModule, AccountsModule, BalancesModule, ScheduleModule, SyncModule];

/**
 * Gives what a module may inject: people, accounts, balances, connections, jobs, and what guards routes and pages.
 *
 * @example @Module({ imports: [KitModule, MikroOrmModule.forFeature([Goal])], controllers: [GoalsController] })
 */
@Module({ imports: OFFERED, exports: OFFERED })
export class KitModule {}

// Settings, time and errors.

/** Kinds of settings. @example z.object({ GOALS_MAX: integer(1, 100).prefault('20').describe('Goals of one person.') }) */
export { absolutePath, cron, integer, orNull } from './platform/config/environment-values.js';
/** @example settingsOf(this.config, SETTINGS).GOALS_MAX */
export { Config, settingsOf } from './platform/config/config.js';
/** Of Tidemark, as in package.json. @example VERSION // 1.4.2 */
export { VERSION } from './platform/config/version.js';
/** What time it is. In tests it stands still. @example this.clock.now() */
export { Clock } from './platform/time/clock.js';
/** A day as text, `2026-03-15`. @example addDays('2026-03-15', 1) */
export {
  addDays,
  type CalendarDate,
  DAY_MS,
  dateInTimeZone,
  daysBetween,
  isCalendarDate,
  longDate,
} from './platform/time/calendar-date.js';
/** @throws for what a client did wrong: the error filter knows its status. @example throw recordNotFound('goal'); */
export { DomainError, recordNotFound, validationFailed } from './platform/domain-error.js';
/** @example throw new UsageError('--email must be an e-mail address.'); */
export { listOf, RefusedError, UsageError, type Values } from './platform/command.js';
/** Money is an integer in the minor unit. @example currencyText(500_000, 'EUR') // €5,000.00 */
export { currencyText } from './platform/money/currency-text.js';
/** ISO 4217, or `null` for a currency that is unknown. @example currencyCode('eur') // EUR */
export { currencyCode, minorDigits } from './platform/money/currency.js';
/** What a person typed, in minor units; `null`: no amount. @example parseMinor('49.90', minorDigits('EUR') ?? 2) // 4990 */
export { parseMinor } from './platform/money/minor-units.js';
/** @example metrics.addGauge({ name: 'tidemark_goals', help: 'Open goals.', labelNames: [], read: () => [{ labels: {}, value: open }] }) */
export { MetricsService } from './platform/metrics/metrics.service.js';
/** Records what was done with a person's things, in the transaction that does it. @example await this.audit.record({ userId, kind, subject }) */
export { AuditTrailService } from './auth/audit/audit-trail.service.js';
/** A text that no log shows. @example new Secret('whsec_…').reveal() */
export { Secret } from './platform/config/secret.js';
/** Seals what a row keeps secret, for that row only. @example this.vault.seal(secret, credentialOwner({ userId, id })) */
export { credentialOwner, CredentialVault } from './platform/vault/credential-vault.js';
/** Sends JSON to addresses that people have entered, on the public internet only. @example await this.http.post({ url, headers, body }, signal) */
export { type Exchange, PublicHttp } from './providers/http/public-http.js';

// Work in the background.

/** Transactions that `work` begins may take as long as those of syncs. @example usingSessionsFor('background', () => this.em.transactional(write)) */
export { usingSessionsFor } from './database/sessions/bounded-client.js';
/** Limits how much is done at once on this instance. @example const release = this.limiter.acquire({}); */
export { ConcurrencyLimiter } from './http/concurrency-limiter.js';

/** Jobs on any instance, one open job for a key. @example await this.jobs.add(em, 'reminders', [{ singletonKey: id, data: { userId, id } }]) */
export { type Job, JobQueue } from './sync/jobs/job-queue.js';
/** What a person's change log tells after a revision, for what keeps a position in it. @example await readEvents(em, userId, position, new Set(types)) */
export { type EventsAfter, newestRevision, readEvents } from './sync/events/read-events.js';
/** One of these events. @example const ids = events.map(({ subjectId }: PlannedEvent) => subjectId); */
export type { PlannedEvent } from './database/change-log/plan-events.js';

// The database.

/** Follows the transaction of its caller. @example this.em.transactional(async () => …) */
export { EntityManager } from '@mikro-orm/postgresql';
/** Outside of a transaction. @example reader(this.em).findOne(Goal, { userId, id }) */
export { reader } from './database/reader.js';
/** A page and its total from one snapshot. @example atOneMoment(this.em, (em) => em.findAndCount(Goal, { userId }, page)) */
export { atOneMoment } from './database/one-moment.js';
/** Says in a transaction what it changes, so that lists, feed and modules know. @example noteChanges(userId, { kind: 'goals', ids: [id] }) */
export { noteChanges } from './database/change-log/note-changes.js';
/** What all lists show of an account. @example noteChanges(userId, ...everythingOf(accountId)) */
export { everythingOf } from './database/change-log/change.js';
/** So that parallel requests cannot exceed a limit of the person. @example await lockUser(em, userId); */
export { lockUser } from './database/lock-user.js';
/** For `retention`. @example retention: { old_goals: pruneExpired('goals') } */
export { inBatches, pruneExpired } from './database/prune.js';
/** Columns of an entity: bigints as numbers, days as text. @example @UserTable('goals') class Goal extends UserRow<'goals'> { @DayColumn() dueOn: CalendarDate; } */
export {
  BigColumn,
  BytesColumn,
  CountColumn,
  DayColumn,
  FlagColumn,
  IdColumn,
  JsonColumn,
  MinorColumn,
  MomentColumn,
  TextColumn,
  UserRow,
  UserTable,
} from './database/columns.js';
/** Entities of the core, to read and to lock: what they have comes from banks. @example em.findOne(Account, { userId, id }, { lockMode: LockMode.PESSIMISTIC_WRITE }) */
export { Account } from './balances/accounts/account.entity.js';
/** What net worth in one currency asks for: a global Nest module provides it. @example { provide: ExchangeRates, useClass: RatesOfMyBank } */
export {
  type ExchangeRate,
  ExchangeRates,
  type KnownRates,
  type WantedRates,
} from './balances/net-worth/exchange-rates.js';
/** @example em.findOne(Balance, { userId, accountId }, { orderBy: { date: 'desc' } }) */
export { Balance } from './balances/record/balance.entity.js';
/**
 * Transactions as the API lists them: amounts are the holder's, money out is negative. Entities would have the bank's sign.
 * `listPage` reads in the transaction of its caller, so handlers of events use it; `readAll` reads all of them, outside of one.
 *
 * @example await this.transactions.listPage(userId, { account_id: [id], start_date: '2026-03-01', pending: false, page: 1, per_page: 1_000 })
 */
export { TransactionsRepository } from './balances/transactions/transactions.repository.js';
/** @example const spent = rows.reduce((sum, { amount_minor: amount }: TransactionRow) => sum + Math.max(0, -amount), 0); */
export type { TransactionRow } from './balances/transactions/transaction.response.js';
/** Transactions and balances from files beside those of the bank. @example await this.lists.add(caller, accountId, list) */
export {
  ImportedListsService,
  type ComparedBalance,
  type NewList,
  type PreviewedList,
  type PreviewedRow,
  type RowCounts,
} from './balances/own-knowledge/imported-lists.service.js';
/** A transaction of such a list, and whether it counts. @example rows.filter(({ standing }: OwnRow) => standing === 'left_out') */
export type { OwnRow, Standing } from './balances/own-knowledge/own-knowledge.entities.js';
/** @example em.find(Holding, { userId, accountId }) */
export { Holding } from './balances/holdings/holding.entity.js';
/** @example em.findOne(SyncRun, { userId, id: event.subjectId }) */
export { SyncRun } from './sync/sync-run.entity.js';
/** Accounts with their newest balances. @example (await this.accounts.findById(userId, id))?.balance_minor */
export { AccountsRepository } from './balances/accounts/accounts.repository.js';
/** Whether a person has added an account by hand, so that no bank lists it. @example isOwn(account) ? 'by hand' : 'of a bank' */
export { isOwn } from './balances/accounts/account.entity.js';
/** Whether an account of a type is a debt: what it owes is positive in balances. @example accountRules(account.account_type).factor // -1 */
export { accountRules } from './balances/engine/account-type.js';
/** One of them. @example const { balance_minor: balance, currency }: AccountRow = account; */
export type { AccountRow } from './balances/accounts/account.response.js';

// Routes.

/** @example @Get() @RequireScope('goals:read') list(@CurrentCaller() { userId }: Caller) { … } */
export { RequireApiKey, RequireScope } from './auth/require-scope.decorator.js';
/** Who sends the request. @example list(@CurrentCaller() { userId, timeZone }: Caller) */
export { type Caller, CurrentCaller } from './http/caller.js';
/** For keys that are limited to some accounts. @example @LimitsAccounts(byFilter) */
export { byBody, byFilter, byHandler, byPath, LimitsAccounts } from './auth/account-limits.guard.js';
/** `ETag` and 304 of a list. @example @Get() @ConditionalGet() list() { … } */
export { ConditionalGet } from './http/conditional-get/conditional-get.interceptor.js';
/** For the document. @example @ApiResponse({ status: 404, description: 'You have no such goal.', type: ErrorResponse }) */
export { ErrorResponse } from './http/errors/error-response.js';
/** What a client is told of an error that is thrown. @example toApiError(thrown, request, response).message */
export { toApiError } from './http/errors/to-api-error.js';
/** An error of HTTP; services throw DomainError. @example throw new ApiError('bad_request', 'Send one message.') */
export { ApiError } from './http/errors/api-error.js';
/** Whether a page of this service sent a request. @example isOwnOrigin(request.get('origin') ?? '', request) */
export { isOwnOrigin } from './http/headers.js';
/** The lists that an assistant may read. @example this.tools.list(caller) */
export { type CallersTool, ToolsService } from './auth/tools.service.js';
/** Pages of a list. @example { goals: rows.map(toGoal), pagination: pagination(query, totalCount) } */
export { offsetOf, PageQuery, Pagination, pagination } from './http/pagination/page.js';
/** Links to the other pages, in a header. @example @Get() @PageLinks() list(@Query() query: PageQuery) { … } */
export { PageLinks } from './http/pagination/page-links.interceptor.js';
/** Members of a request: the document, the check and the clean value follow. @example @GivenName({ example: 'Roof' }) name: string; */
export {
  Given,
  GivenDay,
  GivenFlag,
  GivenId,
  GivenMinor,
  GivenMoment,
  GivenName,
  GivenOneOf,
  GivenSomeOf,
  GivenText,
  GivenWhole,
} from './http/input/given.js';
/** The parameter `account_id` of a list. @example @AccountIdsParameter() account_id?: string[]; */
export { AccountIdsParameter } from './http/input/filter-parameters.js';
/** A form with one file, read once the caller is known. @example @Post() @TakesFile({ field: 'file', maxMib: 5 }) add(@Req() request: Request) { fileOf(request)?.bytes } */
export { fileOf, type SentFile, TakesFile } from './http/input/upload.js';
/** @example const goal = isUuid(id) ? await em.findOne(Goal, { userId, id }) : null; */
export { isUuid, visibleText } from './http/input/validators.js';
/** Members of a response: the document, the answer and the columns of CSV follow. @example @Amount() target: string; target_cents: number; */
export {
  Amount,
  Count,
  Day,
  Factor,
  Flag,
  Group,
  Id,
  Ids,
  List,
  Minor,
  Moment,
  OneOf,
  responseOf,
  SomeOf,
  Text,
  Texts,
} from './http/members.js';

// Pages.

/** @example @WebPage('goals') export class GoalsPageController { @Get() show(@CurrentSession() session: Session) { … } } */
export { CurrentSession, PublicPage, WebPage } from './web/layout/web-page.js';
/** Who is signed in on a page. @example show(@CurrentSession() { userId }: Session) */
export type { Session } from './auth/sessions.service.js';
/** @example return <Page title="Goals" lead="What you save for.">…</Page>; */
export { Page } from './web/layout/document.js';
/** @throws a page with a sentence, a status and a link. @example throw new PageProblemError(403, 'Not yours', '…') */
export { PageProblemError, type PageReply, redirectTo, refuse } from './web/layout/page-reply.js';
/** Signs people in on the pages, however they have proved who they are. @example this.sessions.begin(user, request, response) */
export { PageSessions } from './auth/page-session.js';
/** @example this.users.findByEmail('ann@example.com') */
export { UsersRepository } from './auth/users.repository.js';
/** Origin and prefix by which the browser reaches the service. @example `${publicAddress(request)}/sign-in/callback` */
export { publicAddress } from './http/public-address.js';
/** @example <FormCard title="Goal" action="/goals" submit="Save"><Field name="name" label="Name" required /></FormCard> */
export {
  ButtonForm,
  Choice,
  Choices,
  Field,
  FileField,
  FoldedForm,
  Form,
  FormCard,
  SelectField,
  Submit,
} from './web/components/form.js';
/** What was sent. @example textsOf(body, 'days') */
export { type Fields, textOf, textsOf } from './web/components/form-fields.js';
/** What is wrong with it, by the names of fields. @example return refuse(page, { name: 'Enter a name.' }); */
export { type FieldErrors, useTimeZone } from './web/components/page-context.js';
/** Which form of which rendered page was sent, and what the first of two has made. @example this.forms.sendOnce({ userId, formId }, create) */
export { FormId, takeShown } from './web/layout/sent-twice.js';
/** Does once what a form or request asks for. @example await this.forms.sendOnce({ userId, formId }, create) */
export { IdempotencyKeysService } from './http/idempotency/idempotency-keys.service.js';
/** A secret that its form has made, shown once. @example <Once made={made} again="…">{({ key }) => <CopyableSecret … />}</Once> */
export { CopyableSecret, Once, type ShownOnce } from './web/components/shown-once.js';
/** Pages of a list. @example const { rows, page, last } = await readPage(textOf(query, 'page'), 20, list); */
export { Column, Pager, readPage, WideTable } from './web/components/table.js';
/** A moment in the person's time zone, or a day. @example <ShownMoment at={goal.createdAt} /> */
export { Day as ShownDay, Moment as ShownMoment, momentText } from './web/components/when.js';
/** An amount in the person's number format. @example <Money minor={goal.targetMinor} currency={goal.currency} /> */
export { Money, numberText } from './web/components/money.js';
/** @example <Notice kind="done">The goal was removed.</Notice> */
export { Notice } from './web/components/notice.js';

// Providers.

/** @example export default defineConfig({ modules: [budgets], providers: [myProvider] }); */
export {
  type Configuration,
  defineConfig,
  defineProvider,
  type ProviderDescriptor,
} from './providers/provider-descriptor.js';
/** What a provider is. @example class MyProvider extends BankProvider { async fetchSnapshot(request: SnapshotRequest) { … } } */
export {
  BankProvider,
  type BankSnapshot,
  type Institution,
  type ProviderPush,
  returnedConsent,
  type ReturnedConsent,
  type SnapshotAccount,
  type SnapshotRequest,
  type StartedConsent,
  UNLIMITED,
  type WantedConsent,
} from './providers/bank-provider.js';
/** For what the vendor refuses. @example throw new ProviderError('token_rejected', 'The consent was not given.'); */
export { ProviderError, ProviderInputError, type ProviderProblem } from './providers/provider-error.js';
/** A problem of a snapshot: an account that cannot be read. @example issues.map(({ id, issue }) => unreadableAccount(id, issue)) */
export { unreadableAccount } from './providers/account-problems.js';
/** What its Nest module builds it from. @example toolbox.http(toolbox.networkRules([new URL(baseUrl).hostname])) */
export { ProviderToolbox } from './providers/provider-toolbox.js';
/** @example await http.send({ method: 'GET', url, headers, timeoutMs, what: 'accounts', budget, signal }) */
export type { ProviderHttp, ProviderReply, RequestContext } from './providers/http/provider-http.js';
/** The error of an answer other than 200. @example throw refusalError(reply, REFUSALS, 3600); */
export { type Refusal, refusalError } from './providers/feed/refusals.js';
/** What a vendor sends, with zod; the error quotes nothing of it. @example parsePayload(ACCOUNTS, reply, 'The list of accounts') */
export {
  type Checked,
  decimal as decimalText,
  id as looseId,
  parsePayload,
  text as looseText,
} from './providers/parse-payload.js';
/** Accounts, or items of a list, one by one. @example checkAccounts(ACCOUNT, parsePayload(ACCOUNTS, reply, what).accounts, what) */
export { check as checkItem, checkAccounts, type CheckedAccounts } from './providers/parse-payload.js';
/** @example z.object({ added: limitedList(MAX_TRANSACTIONS, 'transactions') }) */
export { limitedList, MAX_ACCOUNTS, MAX_HOLDINGS, MAX_TRANSACTIONS } from './providers/answer-limits.js';
/** Reads the transactions of an account, and counts what cannot be read. @example readRows({ items, read, currency, today, includePending }) */
export { type RawTransaction, readRows } from './providers/feed/rows.js';
/** Days and moments as vendors write them. @example writtenInText('2026-03-15') */
export { writtenInSeconds, writtenInText } from './providers/read-values.js';
/** A vendor's text as one line, and as part of a message without secrets. @example messageText(answer.error) */
export { lineOf, messageText } from './providers/read-values.js';
/** The transactions of one account, window by window. @example history.add({ from, until: null }, { ...rows, leavesGap: false }) */
export { TransactionHistory, type Window } from './providers/transaction-history.js';
/** Asks for the missing days in windows, newest first. @example await fetchAsFarAsPossible(histories, { ...WINDOWS, today }, fetch, add) */
export { fetchAsFarAsPossible, fetchMissing, type Interruption, type WindowRules } from './providers/feed/windows.js';
/** Decides currency, balance, holdings, type and problems of an account. @example toAccount(draft, today) */
export { type AccountDraft, type RawBalance, toAccount } from './providers/feed/to-account.js';
/** In an `AccountDraft`. @example { items, read: (item): Checked<RawHolding> => checkItem(HOLDING, item) } */
export type { RawHolding, RawHoldings } from './providers/feed/holdings.js';
/** A setting with an address. @example z.object({ MY_BASE_URL: baseUrl.prefault('https://api.example.com') }) */
export { baseUrl } from './platform/config/environment-values.js';
