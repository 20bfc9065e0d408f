/* Chang & Roberts on a ring where ids fall in the direction of travel and every node calls an
   election: the model that bench/checker.cpp gives to Spin. One step starts a node, one step takes
   a message from a node's link; links keep their order. A message is one byte and scratch variables
   are no part of the state, so that Spin has as little to copy as may be. */
#ifndef N
#define N 12
#endif
#define ID (N - _pid)
#define NEXT link[(_pid + 1) % N]
#define ELECTED 128

chan link[N] = [N] of { byte };
byte leader[N];
hidden byte m;

active [N] proctype node()
{
    bit participating;

    d_step { participating = 1; NEXT ! ID }
end:
    do
    :: d_step {
        link[_pid] ? m ->
        if
        :: m < ELECTED ->
            if
            :: m > ID -> participating = 1; NEXT ! m
            :: m == ID -> assert(ID == N); leader[_pid] = ID; NEXT ! (ID + ELECTED)
            :: else ->
                if
                :: !participating -> participating = 1; NEXT ! ID
                :: else
                fi
            fi
        :: else ->
            participating = 0;
            if
            :: m == ID + ELECTED
            :: else -> leader[_pid] = m - ELECTED; NEXT ! m
            fi
        fi
       }
    od
}
