// A suite begins in the middle of the program, so that it imports no top: what the tops load is here.
import "../../commands/stack/register";
import "../../older/import/register";
