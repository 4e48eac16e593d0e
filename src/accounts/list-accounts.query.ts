import { AccountIdsParameter } from '../http/input/filter-parameters.js';
import { PageQuery } from '../http/pagination/page.js';

export class ListAccountsQuery extends PageQuery {
  @AccountIdsParameter()
  account_id?: string[];
}
