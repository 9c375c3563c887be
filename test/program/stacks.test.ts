// One file for everything that needs the plans of the example stacks: each is made once.
import "./program";
import "./dockershim";
import "./render";
import "./contract";
import "./golden";
