// nothing here
const a = 1;
const token = 'AKQKLB7FGWRDD67XZAEN'; // todo
