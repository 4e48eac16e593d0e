import { findMisspelt } from './misspelt-variables.js';

const KNOWN = ['PORT', 'HOST', 'DATABASE_URL', 'DATA_DIR', 'PROVIDER_TIMEOUT_MS', 'APP_SECRET', 'APP_SECRET_FILE'];

describe('findMisspelt', () => {
  it.each([
    ['PROVIDER_TIMEOUT', 'PROVIDER_TIMEOUT_MS'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATBAASE_URL', 'DATABASE_URL'],
    ['APP_SECRETS', 'APP_SECRET'],
    ['app_secret', 'APP_SECRET'],
    ['DATADIR', 'DATA_DIR'],
  ])('the variable %s is reported as a misspelling of %s', (given, likely) => {
    expect(findMisspelt([given], KNOWN)).toEqual([{ given, likely }]);
  });

  it('known variables and variables of other programs are not reported as misspelt', () => {
    const others = [
      'PATH',
      'HOME',
      'HOSTNAME',
      'POSTGRES_PASSWORD',
      'NODE_OPTIONS',
      'npm_config_cache',
      'DATABASE',
      'PORTS',
    ];
    expect(findMisspelt([...KNOWN, ...others], KNOWN)).toEqual([]);
  });
});
