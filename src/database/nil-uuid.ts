/** No row has this id. It sorts before every id that a row has. */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000';
