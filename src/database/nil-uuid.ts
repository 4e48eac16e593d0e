/** No row has this id, and in order it comes before all that have one. */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000';
